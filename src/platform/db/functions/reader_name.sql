-- Returns how a reader is called where no order is meant: by the account, else as in the newest order that names its
-- buyer. It looks at the newest twenty, so that a reader of thousands costs no more.
CREATE OR REPLACE FUNCTION reader_name(account_id uuid) RETURNS text STABLE LANGUAGE sql AS $$
  SELECT coalesce(nullif(account.display_name, ''), (
    SELECT name FROM (
      SELECT buyer_name(b.id) AS name, b.created_at, b.id FROM purchases b WHERE b.user_id = account_id
      ORDER BY b.created_at DESC, b.id DESC LIMIT 20) newest
    WHERE name IS NOT NULL ORDER BY created_at DESC, id DESC LIMIT 1))
  FROM profiles account WHERE account.user_id = account_id
$$;
