-- Tax that Link owes of what is kept, as net_amount has what is kept. A part that was given back takes its share with it.
CREATE OR REPLACE FUNCTION net_link_tax(bought purchases) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE WHEN is_completed(bought.status) OR (bought.status = 'disputed' AND bought.refunded > 0)
    THEN bought.link_tax - bought.link_tax_back ELSE 0.00 END;
