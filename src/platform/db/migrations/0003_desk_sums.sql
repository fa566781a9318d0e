-- The sums of the desk: what a purchase counts for, who keeps the sums, and how they are made anew.

ALTER TABLE reader_sums SET (fillfactor = 70);
--> statement-breakpoint
ALTER TABLE sales_day SET (fillfactor = 50);
--> statement-breakpoint
ALTER TABLE people_count SET (fillfactor = 50);
--> statement-breakpoint
INSERT INTO sums_settings (time_zone) VALUES ('UTC');
--> statement-breakpoint

-- Completed, as every count and sum has it.
CREATE FUNCTION is_completed(status text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN status IN ('completed', 'partially_refunded');
--> statement-breakpoint
-- Money came for it once; what left again is in its adjustments.
CREATE FUNCTION was_paid(status text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN status IN ('completed', 'partially_refunded', 'refunded', 'disputed');
--> statement-breakpoint
CREATE FUNCTION shop_day(moment timestamptz) RETURNS date LANGUAGE sql STABLE
  RETURN (moment AT TIME ZONE (SELECT time_zone FROM sums_settings))::date;
--> statement-breakpoint

-- The shard spreads concurrent buyers over rows.
CREATE FUNCTION sales_day_add(on_day date, of_product uuid, made integer, done integer, dollars numeric)
RETURNS void LANGUAGE sql AS $$
  INSERT INTO sales_day AS s (day, product_id, shard, purchases, completed, revenue)
  VALUES (on_day, of_product, pg_backend_pid() % 16, made, done, dollars)
  ON CONFLICT (day, product_id, shard) DO UPDATE SET
    purchases = s.purchases + excluded.purchases,
    completed = s.completed + excluded.completed,
    revenue = s.revenue + excluded.revenue
$$;
--> statement-breakpoint
-- Adds a purchase's part to the sums, or takes it away.
CREATE FUNCTION sums_add(bought purchases, sign integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  done integer := CASE WHEN is_completed(bought.status) THEN sign ELSE 0 END;
BEGIN
  PERFORM sales_day_add(shop_day(bought.created_at), bought.product_id, sign, done,
    CASE WHEN was_paid(bought.status) THEN sign * bought.amount ELSE 0 END);
  UPDATE reader_sums SET
    total_purchases = total_purchases + sign,
    total_spent = total_spent + done * (bought.amount - bought.refunded),
    last_purchase = CASE
      WHEN sign > 0 THEN greatest(last_purchase, bought.created_at)
      WHEN last_purchase > bought.created_at THEN last_purchase
      ELSE (SELECT max(created_at) FROM purchases WHERE user_id = bought.user_id) END
  WHERE user_id = bought.user_id;
END
$$;
--> statement-breakpoint
CREATE FUNCTION sums_follow_purchase() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM sums_add(OLD, -1); END IF;
  IF TG_OP <> 'DELETE' THEN PERFORM sums_add(NEW, 1); END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
-- Deferred: the sums' rows are locked at commit only, so buyers do not queue behind each other.
CREATE CONSTRAINT TRIGGER sums_of_purchase AFTER INSERT OR DELETE ON purchases
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION sums_follow_purchase();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER sums_of_changed_purchase AFTER UPDATE ON purchases
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.status IS DISTINCT FROM NEW.status OR OLD.amount IS DISTINCT FROM NEW.amount
        OR OLD.refunded IS DISTINCT FROM NEW.refunded OR OLD.product_id IS DISTINCT FROM NEW.product_id
        OR OLD.user_id IS DISTINCT FROM NEW.user_id OR OLD.created_at IS DISTINCT FROM NEW.created_at)
  EXECUTE FUNCTION sums_follow_purchase();
--> statement-breakpoint

-- An adjustment counts on its own day, for the product of its purchase.
CREATE FUNCTION sums_follow_adjustment() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  of_product uuid;
BEGIN
  UPDATE purchases SET refunded = refunded - NEW.amount WHERE id = NEW.purchase_id RETURNING product_id INTO of_product;
  PERFORM sales_day_add(shop_day(NEW.created_at), of_product, 0, 0, NEW.amount);
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER sums_of_adjustment AFTER INSERT ON adjustments
  FOR EACH ROW EXECUTE FUNCTION sums_follow_adjustment();
--> statement-breakpoint
-- Before its purchase is gone: what it gave back is taken out of the sums again.
CREATE FUNCTION sums_forget_adjustments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM sales_day_add(shop_day(a.created_at), OLD.product_id, 0, 0, -a.amount)
  FROM adjustments a WHERE a.purchase_id = OLD.id;
  RETURN OLD;
END
$$;
--> statement-breakpoint
CREATE TRIGGER sums_of_deleted_purchase BEFORE DELETE ON purchases
  FOR EACH ROW EXECUTE FUNCTION sums_forget_adjustments();
--> statement-breakpoint
CREATE FUNCTION append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is only ever added to', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$$;
--> statement-breakpoint
CREATE TRIGGER adjustments_stay BEFORE UPDATE ON adjustments
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();
--> statement-breakpoint
CREATE TRIGGER audit_log_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION append_only();
--> statement-breakpoint

CREATE FUNCTION people_follow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO people_count AS c (shard, people)
  VALUES (pg_backend_pid() % 16, CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END)
  ON CONFLICT (shard) DO UPDATE SET people = c.people + excluded.people;
  IF TG_OP = 'INSERT' THEN
    INSERT INTO reader_sums (user_id) VALUES (NEW.user_id) ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
-- Not deferred: a purchase in the same transaction finds its person's row.
CREATE TRIGGER people_counted AFTER INSERT OR DELETE ON profiles
  FOR EACH ROW EXECUTE FUNCTION people_follow();
--> statement-breakpoint

-- Admin before moderator before user, as the alphabet has it.
CREATE FUNCTION top_role_follow() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  person uuid := coalesce(NEW.user_id, OLD.user_id);
  top text := coalesce((SELECT min(role) FROM user_roles WHERE user_id = person), 'user');
BEGIN
  UPDATE profiles SET top_role = top WHERE user_id = person AND top_role <> top;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER top_role_kept AFTER INSERT OR UPDATE OR DELETE ON user_roles
  FOR EACH ROW EXECUTE FUNCTION top_role_follow();
--> statement-breakpoint
UPDATE profiles p SET top_role = coalesce((SELECT min(role) FROM user_roles r WHERE r.user_id = p.user_id), 'user');
--> statement-breakpoint

-- All sums from the rows themselves. Writers wait until the transaction has ended.
CREATE FUNCTION sums_rebuild() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  LOCK TABLE purchases, adjustments, profiles IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM sales_day;
  INSERT INTO sales_day (day, product_id, shard, purchases, completed, revenue)
  SELECT day, product_id, 0, sum(purchases), sum(completed), sum(revenue) FROM (
    SELECT shop_day(created_at) AS day, product_id, count(*) AS purchases,
      count(*) FILTER (WHERE is_completed(status)) AS completed,
      coalesce(sum(amount) FILTER (WHERE was_paid(status)), 0) AS revenue
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
    FROM purchases GROUP BY user_id
  ) s USING (user_id);
  DELETE FROM people_count;
  INSERT INTO people_count (shard, people) SELECT 0, count(*) FROM profiles;
END
$$;
--> statement-breakpoint
SELECT sums_rebuild();
