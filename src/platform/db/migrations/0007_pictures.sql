CREATE TABLE "pictures" (
	"id" uuid PRIMARY KEY NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"renditions" text[] NOT NULL,
	"unused_since" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "pictures_size" CHECK ("pictures"."width" > 0 and "pictures"."height" > 0)
);
--> statement-breakpoint
-- With the column, which the version before leaves empty, and not as a constraint added to what it writes.
ALTER TABLE "products" ADD COLUMN "cover_id" uuid CONSTRAINT "products_cover_id_pictures_id_fk" REFERENCES "pictures" ("id");
