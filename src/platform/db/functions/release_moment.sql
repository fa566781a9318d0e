-- The beginning of the day on which it was or will be complete; null for what always was.
CREATE OR REPLACE FUNCTION release_moment(of_product uuid) RETURNS timestamptz STABLE LANGUAGE sql AS $$
  SELECT max(p.release_on)::timestamp AT TIME ZONE (SELECT time_zone FROM sums_settings)
  FROM products p
  WHERE p.id = of_product OR p.id IN (SELECT i.product_id FROM bundle_items i WHERE i.bundle_id = of_product)
$$;
