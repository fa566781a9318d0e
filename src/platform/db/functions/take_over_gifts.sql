-- Free copies of the version before, whose rows stay: it reads them while it runs. Also which purchase its recipients have
-- got by opening a gift. Nothing is sent about them.
CREATE OR REPLACE FUNCTION take_over_gifts() RETURNS void LANGUAGE sql AS $$
  INSERT INTO purchase_gifts (id, product_id, received_id, email, recipient_name, sender_name, note, send_at, revision,
    queued_at, reminded_at, opened_at, created_at)
  SELECT g.id, g.product_id, g.purchase_id, CASE WHEN g.email = g.id::text THEN '' ELSE g.email END,
    coalesce(g.name, ''), '', g.message, g.mailed_at, gen_random_uuid(), g.mailed_at, g.mailed_at,
    CASE WHEN u.last_sign_in_at >= g.created_at THEN u.last_sign_in_at END, g.created_at
  FROM gifts g JOIN purchases b ON b.id = g.purchase_id LEFT JOIN auth.users u ON u.id = b.user_id
  WHERE g.product_id IS NOT NULL
  ON CONFLICT DO NOTHING;
  UPDATE purchase_gifts g SET received_id = r.id FROM purchases r
  WHERE r.gift_of = g.purchase_id AND g.received_id IS NULL;
$$;
