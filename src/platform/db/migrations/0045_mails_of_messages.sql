ALTER TABLE "mails" ADD COLUMN "message_id" uuid;--> statement-breakpoint
CREATE INDEX "mails_of_message" ON "mails" USING btree ("message_id") WHERE "mails"."message_id" is not null;--> statement-breakpoint
-- Of those from before: the latest message whose sender's name and subject are in the mail's subject.
UPDATE "mails" SET "message_id" = (
  SELECT c."id" FROM "contact_messages" c
  WHERE c."created_at" <= "mails"."created_at"
    AND strpos("mails"."subject", left(c."name", 50)) > 0 AND strpos("mails"."subject", left(c."subject", 50)) > 0
  ORDER BY c."created_at" DESC LIMIT 1
) WHERE "kind" = 'contact';
