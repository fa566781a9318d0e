-- A bank may take a part only; the rest is kept, and counts. What was merely called disputed, and took nothing, still
-- counts for nothing. Said once, for days, readers and lists.
CREATE FUNCTION kept(status text, amount numeric, refunded numeric) RETURNS numeric
LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN is_completed(status) OR (status = 'disputed' AND refunded > 0) THEN amount - refunded ELSE 0.00 END;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION brought(status text, amount numeric, refunded numeric) RETURNS numeric
LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE
    WHEN is_completed(status) THEN amount
    WHEN status IN ('refunded', 'disputed') THEN kept(status, amount, refunded) + refunded
    ELSE 0 END;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION sums_add_reader(bought purchases, sign integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  made integer := CASE WHEN bought.status = 'canceled' THEN 0 ELSE sign END;
BEGIN
  IF made < 0 THEN
    PERFORM FROM reader_sums WHERE user_id = bought.user_id FOR UPDATE;
  END IF;
  UPDATE reader_sums SET
    total_purchases = total_purchases + made,
    total_spent = total_spent + sign * kept(bought.status, bought.amount, bought.refunded),
    last_purchase = CASE
      WHEN made > 0 THEN greatest(last_purchase, bought.created_at)
      WHEN made = 0 OR last_purchase > bought.created_at THEN last_purchase
      ELSE (SELECT max(created_at) FROM purchases WHERE user_id = bought.user_id AND status <> 'canceled') END
  WHERE user_id = bought.user_id;
END
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION sums_rebuild() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  zone text := (SELECT time_zone FROM sums_settings);
BEGIN
  LOCK TABLE purchases, adjustments, profiles IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM sales_day;
  INSERT INTO sales_day (day, product_id, shard, purchases, completed, revenue)
  SELECT day, product_id, 0, sum(purchases), sum(completed), sum(revenue) FROM (
    SELECT (created_at AT TIME ZONE zone)::date AS day, product_id,
      count(*) FILTER (WHERE status <> 'canceled') AS purchases,
      count(*) FILTER (WHERE is_completed(status)) AS completed, sum(brought(status, amount, refunded)) AS revenue
    FROM purchases GROUP BY 1, 2
    UNION ALL
    SELECT (a.created_at AT TIME ZONE zone)::date, p.product_id, 0, 0, sum(a.amount)
    FROM adjustments a JOIN purchases p ON p.id = a.purchase_id GROUP BY 1, 2
  ) parts GROUP BY day, product_id;
  DELETE FROM reader_sums;
  INSERT INTO reader_sums (user_id, total_purchases, total_spent, last_purchase)
  SELECT p.user_id, coalesce(s.purchases, 0), coalesce(s.spent, 0), s.last
  FROM profiles p LEFT JOIN (
    SELECT user_id, count(*) AS purchases, max(created_at) AS last, sum(kept(status, amount, refunded)) AS spent
    FROM purchases WHERE status <> 'canceled' GROUP BY user_id
  ) s USING (user_id);
  DELETE FROM people_count;
  INSERT INTO people_count (shard, people) SELECT 0, count(*) FROM profiles;
END
$$;
--> statement-breakpoint
SELECT sums_rebuild() WHERE EXISTS (
  SELECT FROM purchases WHERE status = 'disputed' AND refunded > 0 AND refunded < amount);
