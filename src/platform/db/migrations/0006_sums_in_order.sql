-- Days first, people after them, always: two purchases that change at the same moment never wait for each other.
CREATE FUNCTION sums_add_day(bought purchases, sign integer) RETURNS void LANGUAGE sql AS $$
  SELECT sales_day_add(shop_day(bought.created_at), bought.product_id,
    CASE WHEN bought.status = 'canceled' THEN 0 ELSE sign END,
    CASE WHEN is_completed(bought.status) THEN sign ELSE 0 END,
    sign * brought(bought.status, bought.amount, bought.refunded))
$$;
--> statement-breakpoint
CREATE FUNCTION sums_add_reader(bought purchases, sign integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  made integer := CASE WHEN bought.status = 'canceled' THEN 0 ELSE sign END;
  done integer := CASE WHEN is_completed(bought.status) THEN sign ELSE 0 END;
BEGIN
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
CREATE OR REPLACE FUNCTION sums_follow_purchase() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM sums_add_day(OLD, -1); END IF;
  IF TG_OP <> 'DELETE' THEN PERFORM sums_add_day(NEW, 1); END IF;
  IF TG_OP <> 'INSERT' THEN PERFORM sums_add_reader(OLD, -1); END IF;
  IF TG_OP <> 'DELETE' THEN PERFORM sums_add_reader(NEW, 1); END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
DROP FUNCTION sums_add(purchases, integer);
