CREATE TABLE "checkout_searches" (
	"id" uuid PRIMARY KEY NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"read_to" text,
	"finished_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "backup_runs" ADD COLUMN "opened" text;--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "rebuilt_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "checkouts_rebuilt" ON "checkouts" USING btree ("rebuilt_at" DESC NULLS FIRST,"purchase_id" DESC NULLS FIRST) WHERE "checkouts"."rebuilt_at" is not null;