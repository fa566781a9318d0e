import type { OrderDetail } from '#contract/payments/orders.ts'
import type { OrdersApi } from '#domains/payments/orders.routes.ts'
import { responseOf } from '../../../api.ts'
import { adminClient } from '../admin-client.ts'
import { CallButton } from '../call-button.tsx'

const api = adminClient<OrdersApi>()

/** For a link that came into wrong hands. */
export function EndLinks({ purchase: { id, open_links } }: { purchase: OrderDetail }) {
  if (open_links === 0) return null
  return (
    <CallButton
      label="End the links"
      question={{ title: 'End the links?', action: 'End the links', isDanger: true }}
      call={() => responseOf(api.purchases[':id'].links.$delete({ param: { id } }))}
      done={{
        title: 'Links ended',
        description: 'No link that was sent or made opens this purchase any more.',
      }}
      failed="Couldn’t end the links"
    >
      The links in receipts of this purchase, and those that its buyer or you have made, open its files
      without an account, for 30 days. They stop working. The next receipt has a new one; the customer can
      also sign in.
    </CallButton>
  )
}
