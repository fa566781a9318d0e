CREATE TABLE "sales_day_by_code" (
	"day" date NOT NULL,
	"product_id" uuid NOT NULL,
	"sold" integer DEFAULT 0 NOT NULL,
	"free" integer DEFAULT 0 NOT NULL,
	"revenue" numeric(14, 2) DEFAULT 0 NOT NULL,
	"code_id" uuid NOT NULL,
	CONSTRAINT "sales_day_by_code_day_product_id_code_id_pk" PRIMARY KEY("day","product_id","code_id")
);
--> statement-breakpoint
CREATE TABLE "sales_day_by_country" (
	"day" date NOT NULL,
	"product_id" uuid NOT NULL,
	"sold" integer DEFAULT 0 NOT NULL,
	"free" integer DEFAULT 0 NOT NULL,
	"revenue" numeric(14, 2) DEFAULT 0 NOT NULL,
	"country" text NOT NULL,
	CONSTRAINT "sales_day_by_country_day_product_id_country_pk" PRIMARY KEY("day","product_id","country")
);
--> statement-breakpoint
ALTER TABLE "purchases" ADD COLUMN "country" text;--> statement-breakpoint
ALTER TABLE "purchases" ADD COLUMN "code_id" uuid;--> statement-breakpoint
ALTER TABLE "sales_day" ADD COLUMN "sold" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sales_day" ADD COLUMN "gross" numeric(14, 2) DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sales_day" ADD COLUMN "refunded" numeric(14, 2) DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sales_day" ADD COLUMN "free" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sales_day" ADD COLUMN "tests" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sales_day" ADD COLUMN "begun" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sales_day" ADD COLUMN "paid" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "sales_day_by_code" ADD CONSTRAINT "sales_day_by_code_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sales_day_by_code" ADD CONSTRAINT "sales_day_by_code_code_id_discount_codes_id_fk" FOREIGN KEY ("code_id") REFERENCES "public"."discount_codes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sales_day_by_country" ADD CONSTRAINT "sales_day_by_country_product_id_products_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."products"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE sales_day_by_country SET (fillfactor = 50);--> statement-breakpoint
ALTER TABLE sales_day_by_code SET (fillfactor = 50);--> statement-breakpoint
-- Before the triggers below, which would count each of these rows.
UPDATE purchases SET country = coalesce(s.country, c.country)
FROM purchases p LEFT JOIN shipments s ON s.purchase_id = p.id LEFT JOIN shipping_charges c ON c.purchase_id = p.id
WHERE p.id = purchases.id AND coalesce(s.country, c.country) IS NOT NULL;
--> statement-breakpoint
UPDATE purchases SET code_id = u.code_id FROM discount_uses u WHERE u.purchase_id = purchases.id;
--> statement-breakpoint
CREATE FUNCTION purchase_follows_shipment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE purchases SET country = NEW.country WHERE id = NEW.purchase_id AND country IS DISTINCT FROM NEW.country;
  RETURN NULL;
END
$$;
--> statement-breakpoint
-- An erased address leaves the country.
CREATE TRIGGER country_of_shipment AFTER INSERT OR UPDATE OF country ON shipments
  FOR EACH ROW WHEN (NEW.country IS NOT NULL) EXECUTE FUNCTION purchase_follows_shipment();
--> statement-breakpoint
CREATE FUNCTION purchase_follows_discount() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE purchases SET code_id = NEW.code_id WHERE id = NEW.purchase_id;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER code_of_purchase AFTER INSERT OR UPDATE OF code_id ON discount_uses
  FOR EACH ROW EXECUTE FUNCTION purchase_follows_discount();
--> statement-breakpoint
CREATE TYPE sales_part AS (
  day date, product_id uuid, country text, code_id uuid, purchases integer, completed integer, revenue numeric,
  sold integer, gross numeric, refunded numeric, free integer, tests integer, begun integer, paid integer
);
--> statement-breakpoint
-- What a purchase adds to the sums of its day. `sign` is -1 where it leaves them. Set-returning, so that it is inlined.
CREATE FUNCTION purchase_parts(bought purchases, sign integer) RETURNS SETOF sales_part LANGUAGE sql STABLE AS $$
  SELECT (bought.created_at AT TIME ZONE s.time_zone)::date, bought.product_id, bought.country, bought.code_id,
    CASE WHEN i.counts AND bought.status <> 'canceled' THEN sign ELSE 0 END,
    CASE WHEN i.counts AND is_completed(bought.status) THEN sign ELSE 0 END,
    CASE WHEN i.counts THEN sign * day_revenue(bought.status, bought.amount, bought.refunded) ELSE 0 END,
    CASE WHEN i.is_sale AND bought.amount > 0 AND is_completed(bought.status) THEN sign ELSE 0 END,
    CASE WHEN i.is_sale THEN sign * day_revenue(bought.status, bought.amount, bought.refunded) ELSE 0 END,
    0::numeric,
    CASE WHEN i.is_sale AND bought.amount = 0 AND is_completed(bought.status) THEN sign ELSE 0 END,
    CASE WHEN bought.is_test AND i.is_paid THEN sign ELSE 0 END,
    CASE WHEN i.is_sale AND bought.amount > 0 THEN sign ELSE 0 END,
    CASE WHEN i.is_sale AND bought.amount > 0 AND i.is_paid THEN sign ELSE 0 END
  FROM sums_settings s CROSS JOIN LATERAL (SELECT
    (NOT bought.is_test OR s.counts_tests) AND (bought.amount = 0 OR bought.currency = s.currency) AS counts,
    NOT bought.is_test AND (bought.amount = 0 OR bought.currency = s.currency) AS is_sale,
    bought.status NOT IN ('pending', 'canceled') AS is_paid) i
$$;
--> statement-breakpoint
-- An adjustment counts on its own day, for the product, country and code of its purchase.
CREATE FUNCTION adjustment_parts(bought purchases, made adjustments, sign integer)
RETURNS SETOF sales_part LANGUAGE sql STABLE AS $$
  SELECT (made.created_at AT TIME ZONE s.time_zone)::date, bought.product_id, bought.country, bought.code_id, 0, 0,
    CASE WHEN NOT bought.is_test OR s.counts_tests THEN sign * made.amount ELSE 0 END,
    0, 0::numeric, CASE WHEN bought.is_test THEN 0 ELSE -sign * made.amount END, 0, 0, 0, 0
  FROM sums_settings s WHERE bought.amount = 0 OR bought.currency = s.currency
$$;
--> statement-breakpoint
-- Rows are locked in the order of their keys. Countries and codes have no shards: the rows to read would be 16 times as
-- many, and a lock is held during the commit only.
CREATE FUNCTION sums_write(parts sales_part[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO sales_day AS s (day, product_id, shard, purchases, completed, revenue, sold, gross, refunded, free, tests,
    begun, paid)
  SELECT day, product_id, pg_backend_pid() % 16, sum(purchases), sum(completed), sum(revenue), sum(sold), sum(gross),
    sum(refunded), sum(free), sum(tests), sum(begun), sum(paid)
  FROM unnest(parts) GROUP BY day, product_id
  HAVING (sum(purchases), sum(completed), sum(revenue), sum(sold), sum(gross), sum(refunded), sum(free), sum(tests),
    sum(begun), sum(paid)) <> (0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
  ORDER BY day, product_id
  ON CONFLICT (day, product_id, shard) DO UPDATE SET
    purchases = s.purchases + excluded.purchases, completed = s.completed + excluded.completed,
    revenue = s.revenue + excluded.revenue, sold = s.sold + excluded.sold, gross = s.gross + excluded.gross,
    refunded = s.refunded + excluded.refunded, free = s.free + excluded.free, tests = s.tests + excluded.tests,
    begun = s.begun + excluded.begun, paid = s.paid + excluded.paid;
  INSERT INTO sales_day_by_country AS s (day, product_id, country, sold, free, revenue)
  SELECT day, product_id, country, sum(sold), sum(free), sum(gross - refunded)
  FROM unnest(parts) WHERE country IS NOT NULL GROUP BY day, product_id, country
  HAVING (sum(sold), sum(free), sum(gross - refunded)) <> (0, 0, 0)
  ORDER BY day, product_id, country
  ON CONFLICT (day, product_id, country) DO UPDATE SET
    sold = s.sold + excluded.sold, free = s.free + excluded.free, revenue = s.revenue + excluded.revenue;
  INSERT INTO sales_day_by_code AS s (day, product_id, code_id, sold, free, revenue)
  SELECT day, product_id, code_id, sum(sold), sum(free), sum(gross - refunded)
  FROM unnest(parts) WHERE code_id IS NOT NULL GROUP BY day, product_id, code_id
  HAVING (sum(sold), sum(free), sum(gross - refunded)) <> (0, 0, 0)
  ORDER BY day, product_id, code_id
  ON CONFLICT (day, product_id, code_id) DO UPDATE SET
    sold = s.sold + excluded.sold, free = s.free + excluded.free, revenue = s.revenue + excluded.revenue;
END
$$;
--> statement-breakpoint
-- Days before users, always: two purchases that change at the same moment cannot deadlock.
CREATE OR REPLACE FUNCTION sums_follow_purchase() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM sums_write(ARRAY(SELECT n FROM purchase_parts(NEW, 1) n));
    PERFORM sums_add_user(NEW, 1);
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM sums_write(ARRAY(SELECT o FROM purchase_parts(OLD, -1) o));
    PERFORM sums_add_user(OLD, -1);
  ELSE
    PERFORM sums_write(ARRAY(SELECT o FROM purchase_parts(OLD, -1) o UNION ALL SELECT n FROM purchase_parts(NEW, 1) n));
    IF (OLD.status, OLD.amount, OLD.refunded, OLD.user_id, OLD.created_at)
      IS DISTINCT FROM (NEW.status, NEW.amount, NEW.refunded, NEW.user_id, NEW.created_at) THEN
      PERFORM sums_add_user(OLD, -1);
      PERFORM sums_add_user(NEW, 1);
    END IF;
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
-- Where sums_of_changed_purchase does not fire.
CREATE CONSTRAINT TRIGGER sums_of_placed_purchase AFTER UPDATE ON purchases
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.country, OLD.code_id) IS DISTINCT FROM (NEW.country, NEW.code_id)
    AND (OLD.status, OLD.amount, OLD.refunded, OLD.product_id, OLD.user_id, OLD.created_at)
      IS NOT DISTINCT FROM (NEW.status, NEW.amount, NEW.refunded, NEW.product_id, NEW.user_id, NEW.created_at))
  EXECUTE FUNCTION sums_follow_purchase();
--> statement-breakpoint
CREATE OR REPLACE FUNCTION sums_follow_adjustment() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  bought purchases;
BEGIN
  UPDATE purchases SET refunded = refunded - NEW.amount WHERE id = NEW.purchase_id RETURNING * INTO bought;
  PERFORM sums_write(ARRAY(SELECT p FROM adjustment_parts(bought, NEW, 1) p));
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION sums_remove_adjustments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM sums_write(ARRAY(
    SELECT p FROM adjustments a, adjustment_parts(OLD, a, -1) p WHERE a.purchase_id = OLD.id));
  RETURN OLD;
END
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION sums_move_adjustments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM sums_write(ARRAY(
    SELECT p FROM adjustments a, adjustment_parts(OLD, a, -1) p WHERE a.purchase_id = NEW.id
    UNION ALL SELECT p FROM adjustments a, adjustment_parts(NEW, a, 1) p WHERE a.purchase_id = NEW.id));
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER sums_of_moved_purchase AFTER UPDATE ON purchases
  FOR EACH ROW WHEN ((OLD.product_id, OLD.country, OLD.code_id) IS DISTINCT FROM (NEW.product_id, NEW.country, NEW.code_id))
  EXECUTE FUNCTION sums_move_adjustments();
--> statement-breakpoint
-- contract: unused since 0.1.0
DROP FUNCTION sums_add_day(purchases, integer), sales_day_add(date, uuid, integer, integer, numeric);
--> statement-breakpoint
CREATE OR REPLACE FUNCTION sums_rebuild() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  with_tests boolean := (SELECT counts_tests FROM sums_settings);
  of_currency text := shop_currency();
BEGIN
  LOCK TABLE purchases, adjustments, profiles IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM sales_day;
  DELETE FROM sales_day_by_country;
  DELETE FROM sales_day_by_code;
  -- Sums of sums: each set of groups for itself would sort all purchases.
  WITH finest AS (
    SELECT n.day, n.product_id, n.country, n.code_id, sum(purchases) AS purchases, sum(completed) AS completed,
      sum(revenue) AS revenue, sum(sold) AS sold, sum(gross) AS gross, sum(n.refunded) AS refunded, sum(free) AS free,
      sum(tests) AS tests, sum(begun) AS begun, sum(paid) AS paid
    FROM purchases p, purchase_parts(p, 1) n GROUP BY 1, 2, 3, 4
    UNION ALL
    SELECT n.day, n.product_id, n.country, n.code_id, 0, 0, n.revenue, 0, 0, n.refunded, 0, 0, 0, 0
    FROM adjustments a JOIN purchases p ON p.id = a.purchase_id, adjustment_parts(p, a, 1) n
  ), parts AS MATERIALIZED (
    SELECT day, product_id, country, code_id, grouping(country, code_id) AS without, sum(purchases) AS purchases,
      sum(completed) AS completed, sum(revenue) AS revenue, sum(sold) AS sold, sum(gross) AS gross,
      sum(refunded) AS refunded, sum(free) AS free, sum(tests) AS tests, sum(begun) AS begun, sum(paid) AS paid
    FROM finest
    GROUP BY GROUPING SETS ((day, product_id), (day, product_id, country), (day, product_id, code_id))
  ), by_country AS (
    INSERT INTO sales_day_by_country (day, product_id, country, sold, free, revenue)
    SELECT day, product_id, country, sold, free, gross - refunded FROM parts WHERE without = 1 AND country IS NOT NULL
  ), by_code AS (
    INSERT INTO sales_day_by_code (day, product_id, code_id, sold, free, revenue)
    SELECT day, product_id, code_id, sold, free, gross - refunded FROM parts WHERE without = 2 AND code_id IS NOT NULL
  )
  INSERT INTO sales_day (day, product_id, shard, purchases, completed, revenue, sold, gross, refunded, free, tests,
    begun, paid)
  SELECT day, product_id, 0, purchases, completed, revenue, sold, gross, refunded, free, tests, begun, paid
  FROM parts WHERE without = 3;
  DELETE FROM user_sums;
  INSERT INTO user_sums (user_id, total_purchases, total_spent, last_purchase)
  SELECT p.user_id, coalesce(s.purchases, 0), coalesce(s.spent, 0), s.last
  FROM profiles p LEFT JOIN (
    SELECT user_id, count(*) AS purchases, max(created_at) AS last, sum(net_amount(status, amount, refunded)) AS spent
    FROM purchases WHERE status <> 'canceled' AND (with_tests OR NOT is_test)
      AND (amount = 0 OR currency = of_currency) GROUP BY user_id
  ) s USING (user_id);
  DELETE FROM user_count;
  INSERT INTO user_count (shard, users) SELECT 0, count(*) FROM profiles;
END
$$;
--> statement-breakpoint
SELECT sums_rebuild();
