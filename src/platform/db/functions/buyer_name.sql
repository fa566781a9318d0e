-- Returns how the buyer of an order is called, null where no name is known. The parcel of a gift bears another's name,
-- and what is left of an erased account has none.
CREATE OR REPLACE FUNCTION buyer_name(order_id uuid) RETURNS text STABLE LANGUAGE sql AS $$
  SELECT coalesce(nullif(account.display_name, ''), CASE WHEN account.email IS DISTINCT FROM '' THEN
    coalesce(checkout.payer_name, CASE WHEN NOT (b.is_given OR b.gift_of IS NOT NULL OR EXISTS (
      SELECT FROM purchase_gifts g WHERE g.purchase_id = b.id)) THEN parcel.name END) END)
  FROM purchases b LEFT JOIN profiles account ON account.user_id = b.user_id
    LEFT JOIN checkouts checkout ON checkout.purchase_id = b.id
    LEFT JOIN shipments parcel ON parcel.purchase_id = b.id
  WHERE b.id = order_id
$$;
