CREATE OR REPLACE FUNCTION is_sold_out(product products) RETURNS boolean STABLE LANGUAGE sql AS $$
  SELECT EXISTS (SELECT FROM stock s WHERE s.copies = 0 AND s.product_id IN (SELECT copies_of(product)))
$$;
