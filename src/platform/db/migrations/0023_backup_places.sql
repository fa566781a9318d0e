CREATE TABLE "backup_objects" (
	"place" text NOT NULL,
	"path" text NOT NULL,
	"sha256" text,
	"size" bigint,
	"damaged_at" timestamp with time zone,
	CONSTRAINT "backup_objects_place_path_pk" PRIMARY KEY("place","path")
);
--> statement-breakpoint
CREATE TABLE "backup_states" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"place" text NOT NULL,
	"kind" text NOT NULL,
	"succeeded_at" timestamp with time zone,
	"failing_since" timestamp with time zone,
	"problem" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "backup_states_place" UNIQUE("place","kind")
);
--> statement-breakpoint
ALTER TABLE "backup_runs" ADD COLUMN "checked" integer;--> statement-breakpoint
ALTER TABLE "backup_runs" ADD COLUMN "unchecked" integer;--> statement-breakpoint
ALTER TABLE "product_files" ADD COLUMN "lost_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "product_files" ADD COLUMN "lost_sha256" text;
--> statement-breakpoint
-- Running shops say every hour which places of backups they have; one that none names for three hours was given up.
CREATE FUNCTION is_place_in_use(seen_at timestamptz) RETURNS boolean STABLE LANGUAGE sql AS $$
  SELECT seen_at > now() - interval '3 hours'
$$;
--> statement-breakpoint
-- Whether an owner of the product would miss a file: the newest of one of its formats is lost.
CREATE FUNCTION has_lost_file(product_id uuid) RETURNS boolean STABLE LANGUAGE sql AS $$
  SELECT EXISTS (
    SELECT FROM product_files lost
    WHERE lost.product_id = $1 AND lost.lost_at IS NOT NULL AND NOT EXISTS (
      SELECT FROM product_files newer
      WHERE newer.product_id = $1 AND newer.file_format = lost.file_format
        AND (newer.created_at, newer.id) > (lost.created_at, lost.id)))
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION delivery_gap(product products) RETURNS text STABLE LANGUAGE sql AS $$
  SELECT CASE
    WHEN product.format IN ('paperback', 'hardcover') THEN NULL
    WHEN has_lost_file(product.id) OR product.format = 'bundle' AND EXISTS (
      SELECT FROM bundle_items i JOIN products part ON part.id = i.product_id
      WHERE i.bundle_id = product.id AND part.format = 'digital' AND has_lost_file(part.id)) THEN 'lost_file'
    WHEN product.format = 'bundle' AND EXISTS (
      SELECT FROM bundle_items i JOIN products part ON part.id = i.product_id
      WHERE i.bundle_id = product.id AND part.format = 'digital'
        AND NOT EXISTS (SELECT FROM product_files f WHERE f.product_id = part.id)) THEN 'part_without_file'
    WHEN product.format = 'bundle' AND EXISTS (
      SELECT FROM bundle_items i WHERE i.bundle_id = product.id) THEN NULL
    WHEN product.download_url IS NOT NULL
      OR EXISTS (SELECT FROM product_files f WHERE f.product_id = product.id) THEN NULL
    WHEN product.format = 'bundle' THEN 'empty_bundle'
    ELSE 'no_file' END
$$;
