-- What goes by post: paper, and a bundle with paper in it. One that says nothing of its parts is taken for paper, too.
CREATE FUNCTION ships(product products) RETURNS boolean STABLE LANGUAGE sql AS $$
  SELECT CASE product.format
    WHEN 'digital' THEN false
    WHEN 'bundle' THEN coalesce((
      SELECT bool_or(part.format <> 'digital') FROM bundle_items i JOIN products part ON part.id = i.product_id
      WHERE i.bundle_id = product.id), true)
    ELSE true END
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION shipments_add(bought purchases) RETURNS void LANGUAGE sql AS $$
  INSERT INTO shipments (purchase_id, format, created_at)
  SELECT bought.id, p.format, bought.created_at FROM products p WHERE p.id = bought.product_id AND ships(p)
$$;
