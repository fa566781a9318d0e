-- Whether it goes by post: paper, a bundle with paper in it, and a bundle without items.
CREATE OR REPLACE FUNCTION needs_shipping(product products) RETURNS boolean STABLE LANGUAGE sql AS $$
  SELECT CASE product.format
    WHEN 'digital' THEN false
    WHEN 'bundle' THEN coalesce((
      SELECT bool_or(part.format <> 'digital') FROM bundle_items i JOIN products part ON part.id = i.product_id
      WHERE i.bundle_id = product.id), true)
    ELSE true END
$$;
