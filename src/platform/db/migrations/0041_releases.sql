CREATE TABLE "release_mails" (
	"product_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"news" text NOT NULL,
	"release_on" date NOT NULL,
	"queued_at" timestamp with time zone,
	"mail_id" uuid,
	"outcome" text,
	CONSTRAINT "release_mails_product_id_user_id_news_release_on_pk" PRIMARY KEY("product_id","user_id","news","release_on"),
	CONSTRAINT "release_mails_news" CHECK (news in ('out', 'moved'))
);
--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "release_on" date;--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "release_queued_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "release_mails" ADD CONSTRAINT "release_mails_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "release_mails" ADD CONSTRAINT "release_mails_user_id_profiles_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("user_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "release_mails_waiting" ON "release_mails" USING btree ("product_id","user_id") WHERE "release_mails"."queued_at" is null;--> statement-breakpoint
CREATE INDEX "release_mails_queued" ON "release_mails" USING btree ("queued_at") WHERE "release_mails"."queued_at" is not null;
--> statement-breakpoint
-- Today, in the time zone of the shop.
CREATE FUNCTION shop_day() RETURNS date STABLE LANGUAGE sql AS $$
  SELECT (now() AT TIME ZONE time_zone)::date FROM sums_settings
$$;
--> statement-breakpoint
CREATE FUNCTION is_released(product products) RETURNS boolean STABLE LANGUAGE sql AS $$
  SELECT product.release_on IS NULL OR product.release_on <= shop_day()
$$;
--> statement-breakpoint
-- When it is complete; null when nothing of it, nor of a bundle's parts, waits for its day.
CREATE FUNCTION pending_release(product products) RETURNS jsonb STABLE LANGUAGE sql AS $$
  SELECT CASE WHEN max(p.release_on) IS NOT NULL THEN
    jsonb_build_object('on', max(p.release_on), 'is_partial', is_released(product)) END
  FROM products p
  WHERE p.release_on > shop_day() AND (p.id = product.id OR product.format = 'bundle' AND p.id IN (
    SELECT i.product_id FROM bundle_items i WHERE i.bundle_id = product.id))
$$;
--> statement-breakpoint
-- The beginning of the day on which it was or will be complete; null for what always was.
CREATE FUNCTION release_moment(of_product uuid) RETURNS timestamptz STABLE LANGUAGE sql AS $$
  SELECT max(p.release_on)::timestamp AT TIME ZONE (SELECT time_zone FROM sums_settings)
  FROM products p
  WHERE p.id = of_product OR p.id IN (SELECT i.product_id FROM bundle_items i WHERE i.bundle_id = of_product)
$$;
--> statement-breakpoint
-- A file may be missing until the day.
CREATE OR REPLACE FUNCTION delivery_gap(product products) RETURNS text STABLE LANGUAGE sql AS $$
  SELECT CASE
    WHEN product.format IN ('paperback', 'hardcover') THEN NULL
    WHEN has_lost_file(product.id) OR product.format = 'bundle' AND EXISTS (
      SELECT FROM bundle_items i JOIN products part ON part.id = i.product_id
      WHERE i.bundle_id = product.id AND part.format = 'digital' AND has_lost_file(part.id)) THEN 'lost_file'
    WHEN product.format = 'bundle' AND is_released(product) AND EXISTS (
      SELECT FROM bundle_items i JOIN products part ON part.id = i.product_id
      WHERE i.bundle_id = product.id AND part.format = 'digital' AND is_released(part)
        AND NOT EXISTS (SELECT FROM product_files f WHERE f.product_id = part.id)) THEN 'part_without_file'
    WHEN product.format = 'bundle' AND EXISTS (
      SELECT FROM bundle_items i WHERE i.bundle_id = product.id) THEN NULL
    WHEN product.download_url IS NOT NULL
      OR EXISTS (SELECT FROM product_files f WHERE f.product_id = product.id) THEN NULL
    WHEN product.format = 'bundle' THEN 'empty_bundle'
    WHEN NOT is_released(product) THEN NULL
    ELSE 'no_file' END
$$;
