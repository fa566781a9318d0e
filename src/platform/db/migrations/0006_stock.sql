CREATE TABLE "stock" (
	"product_id" uuid PRIMARY KEY NOT NULL,
	"copies" integer NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "stock_copies" CHECK ("stock"."copies" >= 0)
);
--> statement-breakpoint
CREATE TABLE "taken_copies" (
	"purchase_id" uuid NOT NULL,
	"product_id" uuid NOT NULL,
	CONSTRAINT "taken_copies_purchase_id_product_id_pk" PRIMARY KEY("purchase_id","product_id")
);
--> statement-breakpoint
ALTER TABLE "products" ADD COLUMN "archived_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "stock" ADD CONSTRAINT "stock_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "taken_copies" ADD CONSTRAINT "taken_copies_purchase_id_purchases_id_fk" FOREIGN KEY ("purchase_id") REFERENCES "public"."purchases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "taken_copies" ADD CONSTRAINT "taken_copies_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- The products on paper that a purchase takes from the shelf: the product itself, or the items of a bundle.
CREATE FUNCTION copies_of(product products) RETURNS SETOF uuid STABLE LANGUAGE sql AS $$
  SELECT product.id WHERE product.format IN ('paperback', 'hardcover')
  UNION ALL
  SELECT part.id FROM bundle_items i JOIN products part ON part.id = i.product_id
  WHERE product.format = 'bundle' AND i.bundle_id = product.id AND part.format IN ('paperback', 'hardcover')
$$;
--> statement-breakpoint
CREATE FUNCTION is_sold_out(product products) RETURNS boolean STABLE LANGUAGE sql AS $$
  SELECT EXISTS (SELECT FROM stock s WHERE s.copies = 0 AND s.product_id IN (SELECT copies_of(product)))
$$;
--> statement-breakpoint
-- The pages say only whether a product is sold out: other changes of the number leave them cached.
CREATE TRIGGER stock_sold_out AFTER UPDATE ON stock
  FOR EACH ROW WHEN ((OLD.copies = 0) IS DISTINCT FROM (NEW.copies = 0)) EXECUTE FUNCTION catalogue_changed();
--> statement-breakpoint
CREATE TRIGGER stock_counted AFTER INSERT OR DELETE ON stock
  FOR EACH STATEMENT EXECUTE FUNCTION catalogue_changed();
--> statement-breakpoint
-- Counts back what a canceled purchase has reserved, and what a refunded one had bought if its parcel has not left.
CREATE FUNCTION stock_follows_purchase() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.status = 'refunded'
    AND EXISTS (SELECT FROM shipments WHERE purchase_id = NEW.id AND shipped_at IS NOT NULL) THEN
    RETURN NULL;
  END IF;
  PERFORM FROM stock WHERE product_id IN (SELECT product_id FROM taken_copies WHERE purchase_id = NEW.id)
    ORDER BY product_id FOR UPDATE;
  UPDATE stock SET copies = copies + 1, updated_at = now()
    WHERE product_id IN (SELECT product_id FROM taken_copies WHERE purchase_id = NEW.id);
  DELETE FROM taken_copies WHERE purchase_id = NEW.id;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER stock_of_purchase AFTER UPDATE OF status ON purchases
  FOR EACH ROW WHEN (NEW.status IN ('canceled', 'refunded')) EXECUTE FUNCTION stock_follows_purchase();
