ALTER TABLE "auth"."one_time_tokens" ADD COLUMN "code_signature" text;--> statement-breakpoint
ALTER TABLE "auth"."one_time_tokens" ADD COLUMN "code_device" text;--> statement-breakpoint
ALTER TABLE "auth"."one_time_tokens" ADD COLUMN "code_expires_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "auth"."one_time_tokens" ADD COLUMN "code_tries" integer DEFAULT 0 NOT NULL;
