CREATE OR REPLACE FUNCTION shipments_add(bought purchases) RETURNS void LANGUAGE sql AS $$
  INSERT INTO shipments (purchase_id, format, created_at)
  SELECT bought.id, p.format, bought.created_at FROM products p WHERE p.id = bought.product_id AND needs_shipping(p)
$$;
