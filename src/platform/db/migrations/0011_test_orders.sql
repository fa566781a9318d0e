ALTER TABLE "purchases" ADD COLUMN "is_test" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "sums_settings" ADD COLUMN "counts_tests" boolean DEFAULT true NOT NULL;--> statement-breakpoint
UPDATE purchases SET is_test = true FROM checkouts WHERE checkouts.purchase_id = purchases.id AND NOT checkouts.is_live;--> statement-breakpoint
-- Test orders are in the sums until the shop takes money for the first time.
CREATE FUNCTION is_in_sums(bought purchases) RETURNS boolean STABLE LANGUAGE sql
  RETURN NOT bought.is_test OR (SELECT counts_tests FROM sums_settings);
--> statement-breakpoint
CREATE OR REPLACE FUNCTION sums_add_day(bought purchases, sign integer) RETURNS void LANGUAGE sql AS $$
  SELECT sales_day_add(shop_day(bought.created_at), bought.product_id,
    CASE WHEN bought.status = 'canceled' THEN 0 ELSE sign END,
    CASE WHEN is_completed(bought.status) THEN sign ELSE 0 END,
    sign * day_revenue(bought.status, bought.amount, bought.refunded))
  WHERE is_in_sums(bought)
$$;
--> statement-breakpoint
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
--> statement-breakpoint
CREATE OR REPLACE FUNCTION sums_follow_adjustment() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  bought purchases;
BEGIN
  UPDATE purchases SET refunded = refunded - NEW.amount WHERE id = NEW.purchase_id RETURNING * INTO bought;
  IF is_in_sums(bought) THEN
    PERFORM sales_day_add(shop_day(NEW.created_at), bought.product_id, 0, 0, NEW.amount);
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION sums_remove_adjustments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM sales_day_add(shop_day(a.created_at), OLD.product_id, 0, 0, -a.amount)
  FROM adjustments a WHERE a.purchase_id = OLD.id AND is_in_sums(OLD);
  RETURN OLD;
END
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION sums_move_adjustments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM sales_day_add(shop_day(a.created_at), of_product, 0, 0, sign * a.amount)
  FROM adjustments a, (VALUES (OLD.product_id, -1), (NEW.product_id, 1)) AS moved (of_product, sign)
  WHERE a.purchase_id = NEW.id AND is_in_sums(NEW);
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION sums_rebuild() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  zone text := (SELECT time_zone FROM sums_settings);
  with_tests boolean := (SELECT counts_tests FROM sums_settings);
BEGIN
  LOCK TABLE purchases, adjustments, profiles IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM sales_day;
  INSERT INTO sales_day (day, product_id, shard, purchases, completed, revenue)
  SELECT day, product_id, 0, sum(purchases), sum(completed), sum(revenue) FROM (
    SELECT (created_at AT TIME ZONE zone)::date AS day, product_id,
      count(*) FILTER (WHERE status <> 'canceled') AS purchases,
      count(*) FILTER (WHERE is_completed(status)) AS completed, sum(day_revenue(status, amount, refunded)) AS revenue
    FROM purchases WHERE with_tests OR NOT is_test GROUP BY 1, 2
    UNION ALL
    SELECT (a.created_at AT TIME ZONE zone)::date, p.product_id, 0, 0, sum(a.amount)
    FROM adjustments a JOIN purchases p ON p.id = a.purchase_id WHERE with_tests OR NOT p.is_test GROUP BY 1, 2
  ) parts GROUP BY day, product_id;
  DELETE FROM user_sums;
  INSERT INTO user_sums (user_id, total_purchases, total_spent, last_purchase)
  SELECT p.user_id, coalesce(s.purchases, 0), coalesce(s.spent, 0), s.last
  FROM profiles p LEFT JOIN (
    SELECT user_id, count(*) AS purchases, max(created_at) AS last, sum(net_amount(status, amount, refunded)) AS spent
    FROM purchases WHERE status <> 'canceled' AND (with_tests OR NOT is_test) GROUP BY user_id
  ) s USING (user_id);
  DELETE FROM user_count;
  INSERT INTO user_count (shard, users) SELECT 0, count(*) FROM profiles;
END
$$;
