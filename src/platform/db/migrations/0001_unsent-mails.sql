CREATE INDEX "mails_unsent" ON "mails" USING btree ("created_at") WHERE "mails"."status" = 'kept';--> statement-breakpoint
-- contract: unused since 0.1.1
DROP INDEX "mails_kept";
