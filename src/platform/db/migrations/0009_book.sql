CREATE TABLE "book_draft" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"document" jsonb,
	"revision" integer NOT NULL,
	"saved_at" timestamp with time zone NOT NULL,
	"saved_by" text NOT NULL,
	CONSTRAINT "one_draft" CHECK (id = 1)
);
--> statement-breakpoint
CREATE TABLE "book_versions" (
	"number" integer PRIMARY KEY NOT NULL,
	"document" jsonb NOT NULL,
	"published_at" timestamp with time zone DEFAULT now() NOT NULL,
	"published_by" text NOT NULL
);
--> statement-breakpoint
CREATE TRIGGER book_versions_changed AFTER INSERT ON book_versions
  FOR EACH STATEMENT EXECUTE FUNCTION catalogue_changed();
--> statement-breakpoint
-- What the published book promises; 30 days, as the sample does, while nothing was published.
CREATE FUNCTION current_refund_days() RETURNS integer STABLE LANGUAGE sql AS $$
  SELECT coalesce((SELECT (document ->> 'refund_days')::integer FROM book_versions ORDER BY number DESC LIMIT 1), 30)
$$;
--> statement-breakpoint
-- Purchases before this one were promised 30 days. A constant default first: with it, the table is not rewritten.
ALTER TABLE "purchases" ADD COLUMN "refund_days" integer DEFAULT 30 NOT NULL;
--> statement-breakpoint
ALTER TABLE "purchases" ALTER COLUMN "refund_days" SET DEFAULT current_refund_days();
