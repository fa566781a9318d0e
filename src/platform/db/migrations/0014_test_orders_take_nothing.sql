-- A test order never counts as a use of its discount code; one made by the version before this one ceases to.
CREATE OR REPLACE FUNCTION discount_follows_purchase() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  counted boolean := NEW.status <> 'canceled' AND NOT NEW.is_test;
BEGIN
  UPDATE discount_uses SET is_counted = counted WHERE purchase_id = NEW.id AND is_counted <> counted;
  IF FOUND THEN
    UPDATE discount_codes SET uses = uses + CASE WHEN counted THEN 1 ELSE -1 END
      WHERE id = (SELECT code_id FROM discount_uses WHERE purchase_id = NEW.id);
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
WITH taken_out AS (
  UPDATE discount_uses SET is_counted = false FROM purchases p
  WHERE p.id = discount_uses.purchase_id AND p.is_test AND discount_uses.is_counted
  RETURNING discount_uses.code_id
)
UPDATE discount_codes SET uses = discount_codes.uses - counted.uses
FROM (SELECT code_id, count(*) AS uses FROM taken_out GROUP BY code_id) counted
WHERE discount_codes.id = counted.code_id;
