import type { OrderDetail } from '#features/orders/contract/orders.ts'
import type { OrdersApi } from '#features/orders/routes.ts'
import { responseOf } from '../../../api.ts'
import { adminClient } from '../admin-client.ts'
import { CallButton } from '../call-button.tsx'

const api = adminClient<OrdersApi>()

/** For a receipt that came into wrong hands. */
export function EndLinks({ purchase: { id, open_links } }: { purchase: OrderDetail }) {
  if (open_links === 0) return null
  return (
    <CallButton
      label="End the links in receipts"
      question={{ title: 'End the links in receipts?', action: 'End the links', isDanger: true }}
      call={() => responseOf(api.purchases[':id'].links.$delete({ param: { id } }))}
      done={{ title: 'Links ended', description: 'No receipt that was sent opens this purchase any more.' }}
      failed="Couldn’t end the links"
    >
      The receipts of this purchase have a link that opens its files without an account, for 30 days. It stops
      working. The next receipt has a new one; the customer can also sign in.
    </CallButton>
  )
}
