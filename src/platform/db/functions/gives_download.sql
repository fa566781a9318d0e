-- Whether there is anything to download: by the format, and for a bundle by its items.
CREATE OR REPLACE FUNCTION gives_download(product products) RETURNS boolean STABLE LANGUAGE sql AS $$
  SELECT CASE product.format
    WHEN 'digital' THEN true
    WHEN 'bundle' THEN product.download_url IS NOT NULL
      OR EXISTS (SELECT FROM product_files f WHERE f.product_id = product.id)
      OR EXISTS (SELECT FROM bundle_items i JOIN products part ON part.id = i.product_id
        WHERE i.bundle_id = product.id AND part.format = 'digital')
    ELSE false END
$$;
