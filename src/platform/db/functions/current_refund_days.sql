-- What the published book promises; 30 days, as the sample does, while nothing was published.
CREATE OR REPLACE FUNCTION current_refund_days() RETURNS integer STABLE LANGUAGE sql AS $$
  SELECT coalesce((SELECT (document ->> 'refund_days')::integer FROM book_versions ORDER BY number DESC LIMIT 1), 30)
$$;
