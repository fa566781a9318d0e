-- When it is complete; null when nothing of it, nor of a bundle's parts, waits for its day.
CREATE OR REPLACE FUNCTION pending_release(product products) RETURNS jsonb STABLE LANGUAGE sql AS $$
  SELECT CASE WHEN max(p.release_on) IS NOT NULL THEN
    jsonb_build_object('on', max(p.release_on), 'is_partial', is_released(product)) END
  FROM products p
  WHERE p.release_on > shop_day() AND (p.id = product.id OR product.format = 'bundle' AND p.id IN (
    SELECT i.product_id FROM bundle_items i WHERE i.bundle_id = product.id))
$$;
