ALTER TABLE "downloads" ADD COLUMN "sent_bytes" bigint;--> statement-breakpoint
ALTER TABLE "downloads" ADD COLUMN "finished_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "audit_log_of_email" ON "auth"."audit_log" USING btree ("email","created_at") WHERE "auth"."audit_log"."email" is not null;--> statement-breakpoint
CREATE INDEX "mails_failed" ON "mails" USING btree ("created_at") WHERE "mails"."status" = 'failed';