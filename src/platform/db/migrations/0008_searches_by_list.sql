ALTER TABLE "backup_runs" ADD COLUMN "place" text;--> statement-breakpoint
ALTER TABLE "checkout_searches" ADD COLUMN "list" text DEFAULT 'checkouts' NOT NULL;