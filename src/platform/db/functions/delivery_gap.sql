-- A file may be missing until the day.
CREATE OR REPLACE FUNCTION delivery_gap(product products) RETURNS text STABLE LANGUAGE sql AS $$
  SELECT CASE
    WHEN product.format IN ('paperback', 'hardcover') THEN NULL
    WHEN has_lost_file(product.id) OR product.format = 'bundle' AND EXISTS (
      SELECT FROM bundle_items i JOIN products part ON part.id = i.product_id
      WHERE i.bundle_id = product.id AND part.format = 'digital' AND has_lost_file(part.id)) THEN 'lost_file'
    WHEN product.format = 'bundle' AND is_released(product) AND EXISTS (
      SELECT FROM bundle_items i JOIN products part ON part.id = i.product_id
      WHERE i.bundle_id = product.id AND part.format = 'digital' AND is_released(part)
        AND NOT EXISTS (SELECT FROM product_files f WHERE f.product_id = part.id)) THEN 'part_without_file'
    WHEN product.format = 'bundle' AND EXISTS (
      SELECT FROM bundle_items i WHERE i.bundle_id = product.id) THEN NULL
    WHEN product.download_url IS NOT NULL
      OR EXISTS (SELECT FROM product_files f WHERE f.product_id = product.id) THEN NULL
    WHEN product.format = 'bundle' THEN 'empty_bundle'
    WHEN NOT is_released(product) THEN NULL
    ELSE 'no_file' END
$$;
