CREATE OR REPLACE FUNCTION sums_add_user(bought purchases, sign integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  made integer := CASE WHEN bought.status = 'canceled' THEN 0 ELSE sign END;
BEGIN
  IF NOT is_in_sums(bought) THEN
    RETURN;
  END IF;
  IF made < 0 THEN
    PERFORM FROM user_sums WHERE user_id = bought.user_id FOR UPDATE;
  END IF;
  UPDATE user_sums SET
    total_purchases = total_purchases + made,
    total_spent = total_spent + sign * net_amount(bought.status, bought.amount, bought.refunded),
    last_purchase = CASE
      WHEN made > 0 THEN greatest(last_purchase, bought.created_at)
      WHEN made = 0 OR last_purchase > bought.created_at THEN last_purchase
      ELSE (SELECT max(p.created_at) FROM purchases p
        WHERE p.user_id = bought.user_id AND p.status <> 'canceled' AND is_in_sums(p)) END
  WHERE user_id = bought.user_id;
END
$$;
