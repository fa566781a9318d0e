-- What the schema file cannot say: counters that need no crash safety, and the sums of sales.

ALTER TABLE rate_limits SET UNLOGGED;
--> statement-breakpoint
ALTER TABLE rate_limits SET (fillfactor = 50);
--> statement-breakpoint
ALTER TABLE sales_day SET (fillfactor = 50);
--> statement-breakpoint

-- Adds a purchase's part to its day, or takes it away. The shard spreads concurrent buyers over rows.
CREATE FUNCTION sales_day_add(bought purchases, sign integer) RETURNS void LANGUAGE sql AS $$
  INSERT INTO sales_day AS s (day, format, shard, purchases, completed, revenue)
  SELECT (bought.created_at AT TIME ZONE 'UTC')::date, p.format, pg_backend_pid() % 16, sign,
         CASE WHEN bought.status = 'completed' THEN sign ELSE 0 END,
         CASE WHEN bought.status = 'completed' THEN sign * bought.amount ELSE 0 END
  FROM products p WHERE p.id = bought.product_id
  ON CONFLICT (day, format, shard) DO UPDATE SET
    purchases = s.purchases + excluded.purchases,
    completed = s.completed + excluded.completed,
    revenue = s.revenue + excluded.revenue
$$;
--> statement-breakpoint
CREATE FUNCTION sales_day_follow() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN PERFORM sales_day_add(OLD, -1); END IF;
  IF TG_OP <> 'DELETE' THEN PERFORM sales_day_add(NEW, 1); END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
-- Deferred: the day's row is locked at commit only, so buyers do not queue behind each other.
CREATE CONSTRAINT TRIGGER sales_day_insert_delete AFTER INSERT OR DELETE ON purchases
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION sales_day_follow();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER sales_day_update AFTER UPDATE ON purchases
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.status IS DISTINCT FROM NEW.status OR OLD.amount IS DISTINCT FROM NEW.amount
        OR OLD.product_id IS DISTINCT FROM NEW.product_id OR OLD.created_at IS DISTINCT FROM NEW.created_at)
  EXECUTE FUNCTION sales_day_follow();
--> statement-breakpoint

-- Every process that keeps pages or products in memory hears of a change.
CREATE FUNCTION catalogue_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('catalogue', '');
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER products_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON products
  FOR EACH STATEMENT EXECUTE FUNCTION catalogue_changed();
