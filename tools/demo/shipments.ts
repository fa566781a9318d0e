// What made-up buyers of books on paper have been sent.
import type { Client } from 'pg'

/** What is older than four days has left; of one in thirty the address is still to come. */
export async function addShipments(client: Client): Promise<void> {
  await client.query(shipments)
}

const shipments = `
  insert into shipments (purchase_id, format, is_paid, created_at, shipped_at, carrier, tracking_number,
    name, line1, city, state, postal_code, country)
  select b.id, p.format, is_completed(b.status), b.created_at, sent,
    case when sent is not null then 'USPS' end,
    case when sent is not null then '9400' || lpad(floor(random() * 1e18)::bigint::text, 18, '0') end,
    case when has_address then coalesce(u.display_name, 'A Reader') end,
    case when has_address then 1 + floor(random() * 200) || ' ' ||
      (array['Barley Road', 'Olive Street', 'Cedar Lane', 'Well Street', 'Harvest Avenue'])[1 + floor(random() * 5)] end,
    case when has_address then place[1] end, coalesce(place[2], ''), coalesce(place[3], ''),
    case when has_address then 'US' end
  from purchases b join products p on p.id = b.product_id join profiles u using (user_id)
    cross join lateral (select b.created_at < now() - interval '4 days' as is_old, random() > 0.03 and b.id is not null as drawn) d
    cross join lateral (select is_old or drawn as has_address,
      case when is_old and is_completed(b.status) then b.created_at + interval '2 days' end as sent) s
    cross join lateral (select case when has_address and b.id is not null then string_to_array((array[
      'Portland,OR,97201', 'Austin,TX,78701', 'Nashville,TN,37201', 'Columbus,OH,43004', 'Boise,ID,83702'
    ])[1 + floor(random() * 5)], ',') end as place) a
  where needs_shipping(p) and b.status <> 'canceled'
  on conflict do nothing`
