-- What the public pages show has changed: products, their files, parts or stock, the excerpt, or the published book. Every
-- process drops its cached pages.
CREATE OR REPLACE FUNCTION shop_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('shop_changed', '');
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE OR REPLACE TRIGGER products_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON products
  FOR EACH STATEMENT EXECUTE FUNCTION shop_changed();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER product_files_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON product_files
  FOR EACH STATEMENT EXECUTE FUNCTION shop_changed();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER bundle_items_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON bundle_items
  FOR EACH STATEMENT EXECUTE FUNCTION shop_changed();
--> statement-breakpoint
-- The pages say only whether a product is sold out: other changes of the number leave them cached.
CREATE OR REPLACE TRIGGER stock_sold_out AFTER UPDATE ON stock
  FOR EACH ROW WHEN ((OLD.copies = 0) IS DISTINCT FROM (NEW.copies = 0)) EXECUTE FUNCTION shop_changed();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER stock_counted AFTER INSERT OR DELETE ON stock
  FOR EACH STATEMENT EXECUTE FUNCTION shop_changed();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER excerpt_file_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON excerpt_file
  FOR EACH STATEMENT EXECUTE FUNCTION shop_changed();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER book_versions_changed AFTER INSERT ON book_versions
  FOR EACH STATEMENT EXECUTE FUNCTION shop_changed();
