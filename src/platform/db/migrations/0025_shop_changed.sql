-- contract: unused since 0.1.0 by its name: only triggers call it, and they follow
ALTER FUNCTION catalogue_changed() RENAME TO shop_changed;
--> statement-breakpoint
-- What the public pages show has changed: products, their files, parts or stock, or the published book. Every process drops
-- its cached pages. The version before listens to the channel `catalogue`.
CREATE OR REPLACE FUNCTION shop_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('shop_changed', '');
  PERFORM pg_notify('catalogue', '');
  RETURN NULL;
END
$$;
