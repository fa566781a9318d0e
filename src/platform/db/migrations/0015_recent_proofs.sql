-- When a session last proved who it is, and its account's second factor: renewing or enrolling proves neither.
ALTER TABLE "auth"."sessions" ADD COLUMN "proved_at" timestamp with time zone;
--> statement-breakpoint
UPDATE "auth"."sessions" SET "proved_at" = "created_at";
--> statement-breakpoint
ALTER TABLE "auth"."sessions" ALTER COLUMN "proved_at" SET NOT NULL;
--> statement-breakpoint
ALTER TABLE "auth"."sessions" ADD COLUMN "factor_proved_at" timestamp with time zone;
--> statement-breakpoint
-- A challenge belongs to the session that asked for it; those under way live five minutes.
DELETE FROM "auth"."mfa_challenges";
--> statement-breakpoint
ALTER TABLE "auth"."mfa_challenges" ADD COLUMN "session_id" uuid NOT NULL REFERENCES "auth"."sessions"("id") ON DELETE CASCADE;
--> statement-breakpoint
CREATE INDEX "mfa_challenges_of_session" ON "auth"."mfa_challenges" USING btree ("session_id");
--> statement-breakpoint
CREATE INDEX "mfa_challenges_of_factor" ON "auth"."mfa_challenges" USING btree ("factor_id");
--> statement-breakpoint
CREATE TABLE "auth"."wrong_codes" (
	"user_id" uuid NOT NULL REFERENCES "auth"."users"("id") ON DELETE CASCADE,
	"aal" text NOT NULL,
	"device" "bytea" NOT NULL,
	"count" integer NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	CONSTRAINT "wrong_codes_user_id_aal_device_pk" PRIMARY KEY("user_id","aal","device")
);
--> statement-breakpoint
-- The address that an account asked for and has not confirmed yet.
ALTER TABLE "auth"."users" ADD COLUMN "new_email" text;
--> statement-breakpoint
ALTER TABLE "auth"."users" ADD COLUMN "new_email_asked_at" timestamp with time zone;
--> statement-breakpoint
UPDATE "auth"."users" SET "new_email" = link."email", "new_email_asked_at" = link."created_at"
FROM (
	SELECT DISTINCT ON ("user_id") "user_id", "email", "created_at" FROM "auth"."one_time_tokens"
	WHERE "type" = 'email_change' ORDER BY "user_id", "created_at" DESC
) link
WHERE "users"."id" = link."user_id";
