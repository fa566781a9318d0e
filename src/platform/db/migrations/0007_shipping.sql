DROP INDEX "shipments_to_ship";--> statement-breakpoint
DROP INDEX "shipments_shipped";--> statement-breakpoint
ALTER TABLE "shipments" ALTER COLUMN "name" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "shipments" ALTER COLUMN "line1" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "shipments" ALTER COLUMN "city" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "shipments" ALTER COLUMN "country" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "shipments" ADD COLUMN "format" text;--> statement-breakpoint
ALTER TABLE "shipments" ADD COLUMN "is_paid" boolean DEFAULT true NOT NULL;--> statement-breakpoint
UPDATE shipments s SET format = b.format, is_paid = is_completed(p.status), created_at = p.created_at
FROM purchases p JOIN products b ON b.id = p.product_id WHERE p.id = s.purchase_id;
--> statement-breakpoint
-- Sold before there was a list of what is to be shipped.
INSERT INTO shipments (purchase_id, format, created_at)
SELECT p.id, b.format, p.created_at FROM purchases p JOIN products b ON b.id = p.product_id
WHERE b.format <> 'digital' AND is_completed(p.status) ON CONFLICT DO NOTHING;
--> statement-breakpoint
ALTER TABLE "shipments" ALTER COLUMN "format" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "shipments" ADD COLUMN "first_address_digest" text;--> statement-breakpoint
CREATE INDEX "shipments_to_ship_by_format" ON "shipments" USING btree ("format","created_at","purchase_id") WHERE "shipments"."shipped_at" is null and "shipments"."is_paid";--> statement-breakpoint
CREATE INDEX "shipments_shipped_by_format" ON "shipments" USING btree ("format","shipped_at" DESC NULLS FIRST,"purchase_id" DESC NULLS FIRST) WHERE "shipments"."shipped_at" is not null;--> statement-breakpoint
CREATE INDEX "shipments_to_ship" ON "shipments" USING btree ("created_at","purchase_id") WHERE "shipments"."shipped_at" is null and "shipments"."is_paid";--> statement-breakpoint
CREATE INDEX "shipments_shipped" ON "shipments" USING btree ("shipped_at" DESC NULLS FIRST,"purchase_id" DESC NULLS FIRST) WHERE "shipments"."shipped_at" is not null;--> statement-breakpoint
ALTER TABLE "shipments" ADD CONSTRAINT "shipments_address" CHECK (num_nulls("shipments"."name", "shipments"."line1", "shipments"."city", "shipments"."country") in (0, 4));
--> statement-breakpoint
-- Whatever is paid for and made of paper is to be shipped, however it came to be paid: nothing depends on whoever writes it.
CREATE FUNCTION shipments_add(bought purchases) RETURNS void LANGUAGE sql AS $$
  INSERT INTO shipments (purchase_id, format, created_at)
  SELECT bought.id, format, bought.created_at FROM products WHERE id = bought.product_id AND format <> 'digital'
$$;
--> statement-breakpoint
CREATE FUNCTION shipments_of_new_purchase() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM shipments_add(NEW);
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION shipments_of_changed_purchase() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE shipments SET is_paid = is_completed(NEW.status) WHERE purchase_id = NEW.id;
  IF NOT FOUND AND is_completed(NEW.status) THEN
    PERFORM shipments_add(NEW);
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER shipments_of_purchase AFTER INSERT ON purchases
  FOR EACH ROW WHEN (is_completed(NEW.status)) EXECUTE FUNCTION shipments_of_new_purchase();
--> statement-breakpoint
CREATE TRIGGER shipments_of_changed_purchase AFTER UPDATE OF status ON purchases
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION shipments_of_changed_purchase();
