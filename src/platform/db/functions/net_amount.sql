-- Dollars that stay with the shop. A bank may take only a part in a dispute; a dispute that took nothing counts for nothing.
CREATE OR REPLACE FUNCTION net_amount(status text, amount numeric, refunded numeric) RETURNS numeric
LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN is_completed(status) OR (status = 'disputed' AND refunded > 0) THEN amount - refunded ELSE 0.00 END;
