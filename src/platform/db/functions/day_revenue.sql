-- Dollars that count on the day of the purchase; what was given back counts on the days of its adjustments.
CREATE OR REPLACE FUNCTION day_revenue(status text, amount numeric, refunded numeric) RETURNS numeric
LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE
    WHEN is_completed(status) THEN amount
    WHEN status IN ('refunded', 'disputed') THEN net_amount(status, amount, refunded) + refunded
    ELSE 0 END;
