CREATE TABLE "product_prices" (
	"product_id" uuid NOT NULL,
	"price" numeric(10, 2) NOT NULL,
	"currency" text NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"until" timestamp with time zone,
	CONSTRAINT "product_prices_product_id_since_pk" PRIMARY KEY("product_id","since")
);
--> statement-breakpoint
ALTER TABLE "discount_codes" ADD COLUMN "resumed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "product_prices" ADD CONSTRAINT "product_prices_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "product_prices_current" ON "product_prices" USING btree ("product_id") WHERE "product_prices"."until" is null;--> statement-breakpoint
-- What is for sale now, since the last change of its price or of its being for sale that the audit log knows, else from now.
INSERT INTO product_prices (product_id, price, currency, since)
SELECT p.id, p.price, shop_currency(), coalesce(max(l.created_at), now())
FROM products p
LEFT JOIN audit_log l ON l.subject_id = p.id::text AND l.created_at < now() AND (
  l.action IN ('products.added', 'products.unarchived')
  OR l.action = 'products.changed' AND (l.detail ? 'price' OR l.detail ? 'is_for_sale'))
WHERE p.is_for_sale AND p.archived_at IS NULL AND delivery_gap(p) IS NULL
GROUP BY p.id, p.price;
--> statement-breakpoint
-- The price before each change of the last thirty days: a price that was raised just before the upgrade is not the lowest.
INSERT INTO product_prices (product_id, price, currency, since, until)
SELECT c.id, c.price, shop_currency(), c.since, c.until
FROM (
  SELECT p.id, (l.detail #>> '{price,from}')::numeric AS price, l.created_at AS until,
    coalesce(lag(l.created_at) OVER (PARTITION BY p.id ORDER BY l.created_at, l.id), p.created_at) AS since
  FROM audit_log l JOIN products p ON p.id::text = l.subject_id
  WHERE l.action = 'products.changed' AND l.detail #> '{price,from}' IS NOT NULL
) c
WHERE c.until > now() - interval '30 days' AND c.until <= now() AND c.since < c.until
ON CONFLICT DO NOTHING;
--> statement-breakpoint
UPDATE discount_codes SET resumed_at = (
  SELECT max(l.created_at) FROM audit_log l
  WHERE l.action = 'discounts.resumed' AND l.subject_id = discount_codes.id::text);
