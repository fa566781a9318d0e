-- What was given back of a purchase goes along when it is moved to another product. At once, not at commit: what is given
-- back after the move counts for the new product by itself.
CREATE FUNCTION sums_move_adjustments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM sales_day_add(shop_day(a.created_at), of_product, 0, 0, sign * a.amount)
  FROM adjustments a, (VALUES (OLD.product_id, -1), (NEW.product_id, 1)) AS moved (of_product, sign)
  WHERE a.purchase_id = NEW.id;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER sums_of_moved_purchase AFTER UPDATE ON purchases
  FOR EACH ROW WHEN (OLD.product_id IS DISTINCT FROM NEW.product_id)
  EXECUTE FUNCTION sums_move_adjustments();
--> statement-breakpoint
-- The reader's row is locked before the last purchase is looked for: whoever had to wait sees what was deleted meanwhile.
CREATE OR REPLACE FUNCTION sums_add_reader(bought purchases, sign integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  made integer := CASE WHEN bought.status = 'canceled' THEN 0 ELSE sign END;
  done integer := CASE WHEN is_completed(bought.status) THEN sign ELSE 0 END;
BEGIN
  IF made < 0 THEN
    PERFORM FROM reader_sums WHERE user_id = bought.user_id FOR UPDATE;
  END IF;
  UPDATE reader_sums SET
    total_purchases = total_purchases + made,
    total_spent = total_spent + done * (bought.amount - bought.refunded),
    last_purchase = CASE
      WHEN made > 0 THEN greatest(last_purchase, bought.created_at)
      WHEN made = 0 OR last_purchase > bought.created_at THEN last_purchase
      ELSE (SELECT max(created_at) FROM purchases WHERE user_id = bought.user_id AND status <> 'canceled') END
  WHERE user_id = bought.user_id;
END
$$;
--> statement-breakpoint
SELECT sums_rebuild();
