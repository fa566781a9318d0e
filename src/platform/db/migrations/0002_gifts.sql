ALTER TABLE "purchase_gifts" ADD COLUMN "product_id" uuid;--> statement-breakpoint
ALTER TABLE "purchase_gifts" ADD COLUMN "received_id" uuid;--> statement-breakpoint
ALTER TABLE "gift_links" ALTER COLUMN "purchase_id" DROP NOT NULL;--> statement-breakpoint
-- Gifts of the author have no purchase that was paid for, so the key is a column of its own. The version before goes on
-- with unique purchases, and writes neither the new columns nor gifts without a purchase. (drizzle writes no statement
-- that drops a key.)
DO $$ BEGIN
  ALTER TABLE gift_links DROP CONSTRAINT gift_links_purchase_id_purchase_gifts_purchase_id_fk;
  ALTER TABLE purchase_gifts DROP CONSTRAINT purchase_gifts_pkey;
  ALTER TABLE purchase_gifts ALTER COLUMN purchase_id DROP NOT NULL;
  ALTER TABLE purchase_gifts ADD COLUMN id uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL;
  ALTER TABLE purchase_gifts ADD CONSTRAINT purchase_gifts_purchase UNIQUE (purchase_id);
  ALTER TABLE gift_links ADD CONSTRAINT gift_links_purchase_id_purchase_gifts_purchase_id_fk
    FOREIGN KEY (purchase_id) REFERENCES purchase_gifts (purchase_id) ON DELETE cascade;
  ALTER TABLE purchase_gifts ADD CONSTRAINT purchase_gifts_product_id_products_id_fk
    FOREIGN KEY (product_id) REFERENCES products (id);
  ALTER TABLE purchase_gifts ADD CONSTRAINT purchase_gifts_received_id_purchases_id_fk
    FOREIGN KEY (received_id) REFERENCES purchases (id) ON DELETE set null;
  CREATE UNIQUE INDEX purchase_gifts_once ON purchase_gifts (product_id, lower(email))
    WHERE purchase_id IS NULL AND email <> '';
END $$;
--> statement-breakpoint
CREATE INDEX "gift_links_of_revision" ON "gift_links" USING btree ("revision");--> statement-breakpoint
CREATE INDEX "purchase_gifts_revision" ON "purchase_gifts" USING btree ("revision");--> statement-breakpoint
CREATE INDEX "purchase_gifts_received" ON "purchase_gifts" USING btree ("received_id");--> statement-breakpoint
CREATE INDEX "purchase_gifts_of_author" ON "purchase_gifts" USING btree ("created_at" DESC NULLS FIRST,"id" DESC NULLS FIRST) WHERE "purchase_gifts"."purchase_id" is null;--> statement-breakpoint
-- Free copies of the version before, whose rows stay: it reads them while it runs. Also which purchase its recipients have
-- got by opening a gift. Nothing is sent about them.
CREATE FUNCTION take_over_gifts() RETURNS void LANGUAGE sql AS $$
  INSERT INTO purchase_gifts (id, product_id, received_id, email, recipient_name, sender_name, note, send_at, revision,
    queued_at, reminded_at, opened_at, created_at)
  SELECT g.id, g.product_id, g.purchase_id, CASE WHEN g.email = g.id::text THEN '' ELSE g.email END,
    coalesce(g.name, ''), '', g.message, g.mailed_at, gen_random_uuid(), g.mailed_at, g.mailed_at,
    CASE WHEN u.last_sign_in_at >= g.created_at THEN u.last_sign_in_at END, g.created_at
  FROM gifts g JOIN purchases b ON b.id = g.purchase_id LEFT JOIN auth.users u ON u.id = b.user_id
  WHERE g.product_id IS NOT NULL
  ON CONFLICT DO NOTHING;
  UPDATE purchase_gifts g SET received_id = r.id FROM purchases r
  WHERE r.gift_of = g.purchase_id AND g.received_id IS NULL;
$$;
--> statement-breakpoint
SELECT take_over_gifts();
