-- The products on paper that a purchase takes from the shelf: the product itself, or the items of a bundle.
CREATE OR REPLACE FUNCTION copies_of(product products) RETURNS SETOF uuid STABLE LANGUAGE sql AS $$
  SELECT product.id WHERE product.format IN ('paperback', 'hardcover')
  UNION ALL
  SELECT part.id FROM bundle_items i JOIN products part ON part.id = i.product_id
  WHERE product.format = 'bundle' AND i.bundle_id = product.id AND part.format IN ('paperback', 'hardcover')
$$;
