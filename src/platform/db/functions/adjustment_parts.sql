-- An adjustment counts on its own day, for the product, country and code of its purchase.
CREATE OR REPLACE FUNCTION adjustment_parts(bought purchases, made adjustments, sign integer)
RETURNS SETOF sales_part LANGUAGE sql STABLE AS $$
  SELECT (made.created_at AT TIME ZONE s.time_zone)::date, bought.product_id, bought.country, bought.code_id, 0, 0,
    sign * made.amount, 0, 0::numeric, -sign * made.amount, 0, 0, 0, 0, sign * made.link_tax
  FROM sums_settings s
  WHERE (NOT bought.is_test OR s.counts_tests) AND (bought.amount = 0 OR bought.currency = s.currency)
$$;
