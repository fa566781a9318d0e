-- A purchase's status, however it came to be: its parcel, once it is paid; and what it gives back when it ends, the use of
-- its code and its copies in stock. Rows are locked in this order.
CREATE OR REPLACE FUNCTION follow_purchase_status() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  -- A test payment never counts as a use of its discount code.
  uses_code boolean := NEW.status <> 'canceled' AND NOT NEW.is_test;
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF is_completed(NEW.status) THEN
      PERFORM shipments_add(NEW);
    END IF;
    RETURN NULL;
  END IF;
  IF OLD.status = NEW.status THEN
    RETURN NULL;
  END IF;
  IF 'canceled' IN (OLD.status, NEW.status) THEN
    UPDATE discount_uses SET is_counted = uses_code WHERE purchase_id = NEW.id AND is_counted <> uses_code;
    IF FOUND THEN
      UPDATE discount_codes SET uses = uses + CASE WHEN uses_code THEN 1 ELSE -1 END
        WHERE id = (SELECT code_id FROM discount_uses WHERE purchase_id = NEW.id);
    END IF;
  END IF;
  UPDATE shipments SET is_paid = is_completed(NEW.status) WHERE purchase_id = NEW.id;
  IF NOT FOUND AND is_completed(NEW.status) THEN
    PERFORM shipments_add(NEW);
  END IF;
  IF NEW.status = 'canceled' OR NEW.status = 'refunded'
    AND NOT EXISTS (SELECT FROM shipments WHERE purchase_id = NEW.id AND shipped_at IS NOT NULL) THEN
    PERFORM FROM stock WHERE product_id IN (SELECT product_id FROM taken_copies WHERE purchase_id = NEW.id)
      ORDER BY product_id FOR UPDATE;
    UPDATE stock SET copies = copies + 1, updated_at = now()
      WHERE product_id IN (SELECT product_id FROM taken_copies WHERE purchase_id = NEW.id);
    DELETE FROM taken_copies WHERE purchase_id = NEW.id;
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER status_of_purchase AFTER INSERT OR UPDATE OF status ON purchases
  FOR EACH ROW EXECUTE FUNCTION follow_purchase_status();
