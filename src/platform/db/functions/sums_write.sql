-- Rows are locked in the order of their keys. Countries and codes have no shards: the rows to read would be 16 times as
-- many, and a lock is held during the commit only.
CREATE OR REPLACE FUNCTION sums_write(parts sales_part[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO sales_day AS s (day, product_id, shard, purchases, completed, revenue, sold, gross, refunded, free, tests,
    begun, paid, link_tax)
  SELECT day, product_id, pg_backend_pid() % 16, sum(purchases), sum(completed), sum(revenue), sum(sold), sum(gross),
    sum(refunded), sum(free), sum(tests), sum(begun), sum(paid), sum(link_tax)
  FROM unnest(parts) GROUP BY day, product_id
  HAVING (sum(purchases), sum(completed), sum(revenue), sum(sold), sum(gross), sum(refunded), sum(free), sum(tests),
    sum(begun), sum(paid), sum(link_tax)) <> (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
  ORDER BY day, product_id
  ON CONFLICT (day, product_id, shard) DO UPDATE SET
    purchases = s.purchases + excluded.purchases, completed = s.completed + excluded.completed,
    revenue = s.revenue + excluded.revenue, sold = s.sold + excluded.sold, gross = s.gross + excluded.gross,
    refunded = s.refunded + excluded.refunded, free = s.free + excluded.free, tests = s.tests + excluded.tests,
    begun = s.begun + excluded.begun, paid = s.paid + excluded.paid, link_tax = s.link_tax + excluded.link_tax;
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
