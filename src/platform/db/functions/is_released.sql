CREATE OR REPLACE FUNCTION is_released(product products) RETURNS boolean STABLE LANGUAGE sql AS $$
  SELECT product.release_on IS NULL OR product.release_on <= shop_day()
$$;
