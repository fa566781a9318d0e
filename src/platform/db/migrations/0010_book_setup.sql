CREATE TABLE "book_setup" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"step" text NOT NULL,
	"file" jsonb,
	"offers" jsonb NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "one_book_setup" CHECK (id = 1)
);
