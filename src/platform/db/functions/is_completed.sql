CREATE OR REPLACE FUNCTION is_completed(status text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN status IN ('completed', 'partially_refunded');
