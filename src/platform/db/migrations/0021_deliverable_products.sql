-- The author's own lines about what is in a product: plain text, one to a line.
ALTER TABLE products ADD COLUMN contents text[] DEFAULT '{}' NOT NULL;
--> statement-breakpoint
ALTER TABLE products ADD CONSTRAINT products_contents CHECK (cardinality(contents) <= 8);
--> statement-breakpoint
-- A book on paper that came with a file is what a bundle is; its owners keep their downloads.
UPDATE products SET format = 'bundle' WHERE format IN ('paperback', 'hardcover') AND is_digital
  AND (download_url IS NOT NULL OR EXISTS (SELECT FROM product_files f WHERE f.product_id = products.id));
--> statement-breakpoint
-- Whether there is anything to download: said by the format, and of a bundle by what it holds.
CREATE FUNCTION gives_download(product products) RETURNS boolean STABLE LANGUAGE sql AS $$
  SELECT CASE product.format
    WHEN 'digital' THEN true
    WHEN 'bundle' THEN product.download_url IS NOT NULL
      OR EXISTS (SELECT FROM product_files f WHERE f.product_id = product.id)
      OR EXISTS (SELECT FROM bundle_items i JOIN products part ON part.id = i.product_id
        WHERE i.bundle_id = product.id AND part.format = 'digital')
    ELSE false END
$$;
--> statement-breakpoint
UPDATE products SET is_digital = gives_download(products) WHERE is_digital <> gives_download(products);
--> statement-breakpoint
ALTER TABLE products ADD CONSTRAINT products_is_digital
  CHECK (format = 'bundle' OR is_digital = (format = 'digital'));
--> statement-breakpoint
-- Why a product cannot be delivered; null when it can. Of a part only the stored files reach a bundle's owner.
CREATE FUNCTION delivery_gap(product products) RETURNS text STABLE LANGUAGE sql AS $$
  SELECT CASE
    WHEN product.format IN ('paperback', 'hardcover') THEN NULL
    WHEN product.format = 'bundle' AND EXISTS (
      SELECT FROM bundle_items i JOIN products part ON part.id = i.product_id
      WHERE i.bundle_id = product.id AND part.format = 'digital'
        AND NOT EXISTS (SELECT FROM product_files f WHERE f.product_id = part.id)) THEN 'part_without_file'
    WHEN product.format = 'bundle' AND EXISTS (
      SELECT FROM bundle_items i WHERE i.bundle_id = product.id) THEN NULL
    WHEN product.download_url IS NOT NULL
      OR EXISTS (SELECT FROM product_files f WHERE f.product_id = product.id) THEN NULL
    WHEN product.format = 'bundle' THEN 'empty_bundle'
    ELSE 'no_file' END
$$;
--> statement-breakpoint
-- Files and parts decide what is for sale, so the processes that hold the list in memory hear of them, too.
CREATE TRIGGER product_files_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON product_files
  FOR EACH STATEMENT EXECUTE FUNCTION catalogue_changed();
--> statement-breakpoint
CREATE TRIGGER bundle_items_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON bundle_items
  FOR EACH STATEMENT EXECUTE FUNCTION catalogue_changed();
