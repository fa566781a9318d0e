ALTER TABLE "mails" ADD COLUMN "body" text;--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "repeated_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "mails_with_body" ON "mails" USING btree ("created_at") WHERE "mails"."body" is not null;