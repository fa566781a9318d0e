ALTER TABLE "auth"."users" ADD COLUMN "password_unproven_since" timestamp with time zone;
--> statement-breakpoint
-- Accounts made by hand hold the password of whoever made them. Whether their owners have chosen another is not known.
UPDATE auth.users SET password_unproven_since = now()
WHERE password_hash IS NOT NULL AND id::text IN (
  SELECT subject_id FROM audit_log WHERE action = 'users.created' AND actor <> 'setup link');
