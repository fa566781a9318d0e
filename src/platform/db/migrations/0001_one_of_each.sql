-- By hand: orders and their sums (begin).

-- A test order counts as any other until the shop takes money or an own book opens.
CREATE FUNCTION counts_tests() RETURNS boolean STABLE LANGUAGE sql
  RETURN (SELECT s.counts_tests FROM sums_settings s);
--> statement-breakpoint
CREATE OR REPLACE FUNCTION is_in_sums(bought purchases) RETURNS boolean STABLE LANGUAGE sql
  RETURN (SELECT (NOT bought.is_test OR s.counts_tests) AND (bought.amount = 0 OR bought.currency = s.currency)
    FROM sums_settings s);
--> statement-breakpoint
-- A copy that was received counts with the purchase of who gave it.
CREATE OR REPLACE FUNCTION purchase_parts(bought purchases, sign integer) RETURNS SETOF sales_part LANGUAGE sql STABLE AS $$
  SELECT (bought.created_at AT TIME ZONE s.time_zone)::date, bought.product_id, bought.country, bought.code_id,
    CASE WHEN i.counts AND bought.status <> 'canceled' THEN sign ELSE 0 END,
    CASE WHEN i.counts AND is_completed(bought.status) THEN sign ELSE 0 END,
    CASE WHEN i.counts THEN sign * day_revenue(bought.status, bought.amount, bought.refunded) ELSE 0 END,
    CASE WHEN i.counts AND bought.amount > 0 AND is_completed(bought.status) THEN sign ELSE 0 END,
    CASE WHEN i.counts THEN sign * day_revenue(bought.status, bought.amount, bought.refunded) ELSE 0 END,
    0::numeric,
    CASE WHEN i.counts AND bought.amount = 0 AND is_completed(bought.status) THEN sign ELSE 0 END,
    CASE WHEN bought.is_test AND NOT s.counts_tests AND bought.gift_of IS NULL AND i.is_paid THEN sign ELSE 0 END,
    CASE WHEN i.counts AND bought.amount > 0 THEN sign ELSE 0 END,
    CASE WHEN i.counts AND bought.amount > 0 AND i.is_paid THEN sign ELSE 0 END
  FROM sums_settings s CROSS JOIN LATERAL (SELECT
    bought.gift_of IS NULL AND (NOT bought.is_test OR s.counts_tests)
      AND (bought.amount = 0 OR bought.currency = s.currency) AS counts,
    bought.status NOT IN ('pending', 'canceled') AS is_paid) i
$$;
--> statement-breakpoint
-- An adjustment counts on its own day, for the product, country and code of its purchase.
CREATE OR REPLACE FUNCTION adjustment_parts(bought purchases, made adjustments, sign integer)
RETURNS SETOF sales_part LANGUAGE sql STABLE AS $$
  SELECT (made.created_at AT TIME ZONE s.time_zone)::date, bought.product_id, bought.country, bought.code_id, 0, 0,
    sign * made.amount, 0, 0::numeric, -sign * made.amount, 0, 0, 0, 0
  FROM sums_settings s
  WHERE (NOT bought.is_test OR s.counts_tests) AND (bought.amount = 0 OR bought.currency = s.currency)
$$;
--> statement-breakpoint
-- Until now a test order was counted in three of the sums and left out of the others.
DO $$
BEGIN
  IF counts_tests() AND EXISTS (SELECT FROM purchases WHERE is_test) THEN
    PERFORM sums_rebuild();
  END IF;
END
$$;
--> statement-breakpoint
-- What was tried out and never paid: everything of the sample, and what an admin bought. It counts as before, so that
-- the sums stay; where test orders have ceased to count, such orders were marked then.
UPDATE purchases SET is_test = true
WHERE counts_tests() AND NOT is_test AND amount > 0
  AND NOT EXISTS (SELECT FROM checkouts c WHERE c.purchase_id = purchases.id)
  AND (NOT (EXISTS (SELECT FROM book_setup WHERE step = 'done') OR coalesce(
      (SELECT document ->> 'title' <> '{product} that Change Everything' FROM book_versions ORDER BY number DESC LIMIT 1), false))
    OR EXISTS (SELECT FROM user_roles r WHERE r.user_id = purchases.user_id AND r.role = 'admin'));
--> statement-breakpoint
-- By hand: orders and their sums (end).
