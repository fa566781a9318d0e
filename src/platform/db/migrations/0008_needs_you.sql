-- What waits for the author: found by an index each, so that the desk can count it on every page.
DROP INDEX "checkouts_held";--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "paid_total" numeric(10, 2);--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "paid_currency" text;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "dismissed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "refund_requests" ADD COLUMN "dismissed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "given_up_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "audit_log_of_subject" ON "audit_log" USING btree ("subject_id","created_at");--> statement-breakpoint
CREATE INDEX "refund_requests_refused" ON "refund_requests" USING btree ("created_at" DESC NULLS FIRST,"id") WHERE "refund_requests"."status" = 'refused' and "refund_requests"."dismissed_at" is null;--> statement-breakpoint
CREATE INDEX "mails_given_up" ON "mails" USING btree ("given_up_at" DESC NULLS FIRST,"id") WHERE "mails"."given_up_at" is not null;--> statement-breakpoint
CREATE INDEX "checkouts_held" ON "checkouts" USING btree ("created_at" DESC NULLS FIRST,"purchase_id") WHERE "checkouts"."held_reason" is not null and "checkouts"."dismissed_at" is null;
--> statement-breakpoint
-- As many tries as a job has.
UPDATE mails SET given_up_at = created_at WHERE status = 'failed' AND attempts >= 25;
