ALTER TABLE "auth"."users" ADD COLUMN "new_email_session_id" uuid;--> statement-breakpoint
ALTER TABLE "auth"."users" ADD COLUMN "new_email_device" text;--> statement-breakpoint
ALTER TABLE "auth"."users" ADD COLUMN "new_email_pressed_by" text;--> statement-breakpoint
ALTER TABLE "auth"."users" ADD COLUMN "old_email_confirmed_at" timestamp with time zone;--> statement-breakpoint
-- A change that waits was to be confirmed by the new mailbox alone: it ends, and is asked for again.
UPDATE "auth"."users" SET "new_email" = NULL, "new_email_asked_at" = NULL WHERE "new_email" IS NOT NULL;--> statement-breakpoint
-- contract: unused since 0.1.0: nothing is undone any more, and no address is reserved
DELETE FROM "auth"."address_changes";--> statement-breakpoint
-- Their emails, which the shop does not know any more.
DO $$
BEGIN
  IF to_regclass('pgboss.job') IS NOT NULL THEN
    DELETE FROM pgboss.job WHERE name = 'mail.account' AND state IN ('created', 'retry')
      AND data ->> 'kind' IN ('email_change', 'email_change_again', 'email_change_asked', 'email_change_undone');
  END IF;
END
$$;
