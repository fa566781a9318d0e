-- Whether an owner of the product would miss a file: the newest of one of its formats is lost.
CREATE OR REPLACE FUNCTION has_lost_file(product_id uuid) RETURNS boolean STABLE LANGUAGE sql AS $$
  SELECT EXISTS (
    SELECT FROM product_files lost
    WHERE lost.product_id = $1 AND lost.lost_at IS NOT NULL AND NOT EXISTS (
      SELECT FROM product_files newer
      WHERE newer.product_id = $1 AND newer.file_format = lost.file_format
        AND (newer.created_at, newer.id) > (lost.created_at, lost.id)))
$$;
