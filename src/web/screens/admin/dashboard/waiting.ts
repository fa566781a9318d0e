// What waits for the author: the first rows of three lists, each of which has a screen of its own.
import type { AttentionApi } from '#domains/payments/attention.routes.ts'
import type { MessagesApi } from '#domains/readers/messages.routes.ts'
import type { ShipmentsApi } from '#domains/orders/shipping.routes.ts'
import { responseOf } from '../../../api.ts'
import { adminClient } from '../admin-client.ts'

const attentionApi = adminClient<AttentionApi>()
const shipmentsApi = adminClient<ShipmentsApi>()
const messagesApi = adminClient<MessagesApi>()

export type Waiting = Awaited<ReturnType<typeof readWaiting>>

/** Each is undefined when it could not be loaded: the figures are shown without it. */
export async function readWaiting() {
  const [attention, parcels, messages] = await Promise.all([
    responseOf(attentionApi.payments.$get({ query: {} })).catch(() => undefined),
    responseOf(shipmentsApi.shipments.$get({ query: {} })).catch(() => undefined),
    responseOf(messagesApi.messages.$get({ query: { state: 'new' } })).catch(() => undefined),
  ])
  return { attention, parcels, messages }
}
