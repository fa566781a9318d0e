-- What was asked of the provider at first, how far its own list of events was read, and what the author has to look at.
CREATE TABLE "events_read" (
	"is_live" boolean PRIMARY KEY NOT NULL,
	"seen_to" timestamp with time zone,
	"newest" timestamp with time zone,
	"oldest" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "checkouts" ADD COLUMN "asked" jsonb;--> statement-breakpoint
ALTER TABLE "payment_events" ADD COLUMN "problem" text;