-- Until when the author may answer a bank; what is disputed already is asked about once more.
ALTER TABLE "checkouts" ADD COLUMN "answer_by" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "checkouts_disputed" ON "checkouts" USING btree ("answer_by" DESC NULLS FIRST,"purchase_id") WHERE "checkouts"."answer_by" is not null;
--> statement-breakpoint
UPDATE checkouts SET next_check_at = now()
FROM purchases WHERE purchases.id = purchase_id AND purchases.status = 'disputed';
