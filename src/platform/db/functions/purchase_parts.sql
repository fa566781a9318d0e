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
    CASE WHEN i.counts AND bought.amount > 0 AND i.is_paid THEN sign ELSE 0 END,
    CASE WHEN i.counts THEN sign * (net_link_tax(bought) + CASE WHEN i.is_paid THEN bought.link_tax_back ELSE 0 END) ELSE 0 END
  FROM sums_settings s CROSS JOIN LATERAL (SELECT
    bought.gift_of IS NULL AND (NOT bought.is_test OR s.counts_tests)
      AND (bought.amount = 0 OR bought.currency = s.currency) AS counts,
    bought.status NOT IN ('pending', 'canceled') AS is_paid) i
$$;
