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
      sum(tests) AS tests, sum(begun) AS begun, sum(paid) AS paid, sum(n.link_tax) AS link_tax
    FROM purchases p, purchase_parts(p, 1) n GROUP BY 1, 2, 3, 4
    UNION ALL
    SELECT n.day, n.product_id, n.country, n.code_id, 0, 0, n.revenue, 0, 0, n.refunded, 0, 0, 0, 0, n.link_tax
    FROM adjustments a JOIN purchases p ON p.id = a.purchase_id, adjustment_parts(p, a, 1) n
  ), parts AS MATERIALIZED (
    SELECT day, product_id, country, code_id, grouping(country, code_id) AS without, sum(purchases) AS purchases,
      sum(completed) AS completed, sum(revenue) AS revenue, sum(sold) AS sold, sum(gross) AS gross,
      sum(refunded) AS refunded, sum(free) AS free, sum(tests) AS tests, sum(begun) AS begun, sum(paid) AS paid,
      sum(link_tax) AS link_tax
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
    begun, paid, link_tax)
  SELECT day, product_id, 0, purchases, completed, revenue, sold, gross, refunded, free, tests, begun, paid, link_tax
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
