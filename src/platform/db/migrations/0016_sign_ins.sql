-- Browsers that have signed in to an account, by a hash of the random id that each keeps.
CREATE TABLE "auth"."known_devices" (
	"user_id" uuid NOT NULL REFERENCES "auth"."users"("id") ON DELETE CASCADE,
	"hash" "bytea" NOT NULL,
	"last_seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	PRIMARY KEY ("user_id", "hash")
);
--> statement-breakpoint
-- Which secret this database belongs to: one row, and nothing in it opens anything.
CREATE TABLE "auth"."secret_fingerprint" (
	"is_only" boolean PRIMARY KEY DEFAULT true CHECK ("is_only"),
	"fingerprint" "bytea" NOT NULL,
	"set_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
-- What a sign-up has chosen, until its mail is sent: a job's payload outlives the job.
CREATE TABLE "auth"."pending_sign_ups" (
	"id" uuid PRIMARY KEY NOT NULL,
	"password_hash" text NOT NULL,
	"user_metadata" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
-- Until now the payload itself held that. A database without jobs has no tables of theirs yet.
DO $$
BEGIN
	IF to_regclass('pgboss.job') IS NOT NULL THEN
		INSERT INTO "auth"."pending_sign_ups" ("id", "password_hash", "user_metadata", "created_at")
		SELECT ("data" ->> 'id')::uuid, "data" ->> 'password_hash', coalesce("data" -> 'user_metadata', '{}'), "created_on"
		FROM "pgboss"."job"
		WHERE "name" = 'mail.account' AND "state" < 'completed' AND "data" ->> 'kind' = 'sign_up' AND "data" ? 'password_hash'
		ON CONFLICT DO NOTHING;
		UPDATE "pgboss"."job" SET "data" = "data" - 'password_hash' - 'user_metadata'
		WHERE "name" = 'mail.account' AND "data" ?| ARRAY['password_hash', 'user_metadata'];
	END IF;
END $$;
--> statement-breakpoint
-- Refused sign-ins are strangers' doing, so they are counted in buckets of an hour instead of written one by one.
ALTER TABLE "auth"."audit_log" ADD COLUMN "email" text;
--> statement-breakpoint
ALTER TABLE "auth"."audit_log" ADD COLUMN "attempts" integer DEFAULT 1 NOT NULL;
--> statement-breakpoint
ALTER TABLE "auth"."audit_log" ADD COLUMN "bucket" text UNIQUE;
--> statement-breakpoint
CREATE INDEX "audit_log_newest" ON "auth"."audit_log" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);
