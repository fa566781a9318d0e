-- A purchase brings what was paid for it; once it is given back, only what its adjustments take away on their own days.
-- So a purchase that was merely called refunded counts for nothing. A checkout that was left never was a purchase.

CREATE FUNCTION brought(status text, amount numeric, refunded numeric) RETURNS numeric
LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE
    WHEN status IN ('completed', 'partially_refunded') THEN amount
    WHEN status IN ('refunded', 'disputed') THEN refunded
    ELSE 0 END;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION sums_add(bought purchases, sign integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  made integer := CASE WHEN bought.status = 'canceled' THEN 0 ELSE sign END;
  done integer := CASE WHEN is_completed(bought.status) THEN sign ELSE 0 END;
BEGIN
  PERFORM sales_day_add(shop_day(bought.created_at), bought.product_id, made, done,
    sign * brought(bought.status, bought.amount, bought.refunded));
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
CREATE OR REPLACE FUNCTION sums_rebuild() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  LOCK TABLE purchases, adjustments, profiles IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM sales_day;
  INSERT INTO sales_day (day, product_id, shard, purchases, completed, revenue)
  SELECT day, product_id, 0, sum(purchases), sum(completed), sum(revenue) FROM (
    SELECT shop_day(created_at) AS day, product_id, count(*) FILTER (WHERE status <> 'canceled') AS purchases,
      count(*) FILTER (WHERE is_completed(status)) AS completed, sum(brought(status, amount, refunded)) AS revenue
    FROM purchases GROUP BY 1, 2
    UNION ALL
    SELECT shop_day(a.created_at), p.product_id, 0, 0, sum(a.amount)
    FROM adjustments a JOIN purchases p ON p.id = a.purchase_id GROUP BY 1, 2
  ) parts GROUP BY day, product_id;
  DELETE FROM reader_sums;
  INSERT INTO reader_sums (user_id, total_purchases, total_spent, last_purchase)
  SELECT p.user_id, coalesce(s.purchases, 0), coalesce(s.spent, 0), s.last
  FROM profiles p LEFT JOIN (
    SELECT user_id, count(*) AS purchases, max(created_at) AS last,
      sum(amount - refunded) FILTER (WHERE is_completed(status)) AS spent
    FROM purchases WHERE status <> 'canceled' GROUP BY user_id
  ) s USING (user_id);
  DELETE FROM people_count;
  INSERT INTO people_count (shard, people) SELECT 0, count(*) FROM profiles;
END
$$;
--> statement-breakpoint
DROP FUNCTION was_paid(text);
--> statement-breakpoint
SELECT sums_rebuild();
