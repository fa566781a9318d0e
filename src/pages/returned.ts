// A purchase of a guest without scripts: what its page shows, and what its forms do.
import { Hono, type Context } from 'hono'
import { checkoutId, guestPurchase, download } from '#contract/orders/purchases.ts'
import { returnPath, returnPattern } from '#contract/paths.ts'
import { isOwnForm, limitForm, onlyForms, readForm } from '#platform/http/bodies.ts'
import { requireShortAddress } from '#platform/http/errors.ts'
import type { ApiEnv } from '#platform/http/route.ts'
import { readRefusal, type CallApi } from './api-calls.ts'
import type { FormAnswer, PageAnswer, Returned } from './page-answer.ts'
import type { Site } from './site.ts'

type Dependencies = { site: Pick<Site, 'answer'>; callApi: CallApi }
type Order = Pick<Returned, 'id' | 'access'>

/** With the key of its form, too, for who sends it once more after the payment. */
export async function showOrder(
  { site, callApi }: Dependencies,
  c: Context,
  order: Order,
  more: PageAnswer = {},
): Promise<Response> {
  const { status, returned } = await readOrder(callApi, c, order)
  return site.answer(c, returnPattern, { ...(status && { status }), ...more, shown: { returned } })
}

export function returnedPages(services: Dependencies & { site: Pick<Site, 'handle'> }) {
  const { site, callApi } = services

  async function readOwn(c: Context): Promise<{ order: Order; values: Record<string, string> } | Response> {
    const values = await readForm(c)
    const form = { action: c.req.path, values }
    if (!isOwnForm(c)) return site.answer(c, '/again', { status: 403, form })
    return { order: { id: c.req.param('id') ?? '', access: values['access'] ?? '' }, values }
  }

  async function refuse(c: Context, order: Order, response: Response): Promise<Response> {
    const { problems, notice } = await readRefusal(response)
    const form: FormAnswer = { action: '', values: {}, notice: notice ?? Object.values(problems ?? {})[0] }
    return showOrder(services, c, order, { status: response.status, form })
  }

  return new Hono<ApiEnv>()
    .get('/purchase/:id', async (c) => {
      requireShortAddress(c.req.url)
      const access = c.req.query('session_id')
      return access === undefined ? site.handle(c) : showOrder(services, c, { id: c.req.param('id'), access })
    })
    .post('/purchase/:id/download', limitForm, onlyForms, async (c) => {
      const own = await readOwn(c)
      if (own instanceof Response) return own
      const { order, values } = own
      const { file_format, product_id } = values
      const response = await callApi(c, {
        path: `/api/guest/purchases/${encodeURIComponent(order.id)}/download`,
        json: { proof: order.access, ...(file_format && { file_format }), ...(product_id && { product_id }) },
      })
      if (!response.ok) return refuse(c, order, response)
      const { url } = download.parse(await response.json())
      if (url.startsWith('/')) return c.redirect(url, 303)
      return site.answer(c, '/onward', {
        shown: {
          onward: { to: url, isPayment: false, back: isCheckout(order) ? returnPath(order) : undefined },
        },
      })
    })
    .post('/purchase/:id/refund', limitForm, onlyForms, async (c) => {
      const own = await readOwn(c)
      if (own instanceof Response) return own
      const { order, values } = own
      const response = await callApi(c, {
        path: `/api/guest/purchases/${encodeURIComponent(order.id)}/refund`,
        json: { proof: order.access, reason: values['reason'] ?? '' },
      })
      if (!response.ok) return refuse(c, order, response)
      // The key of a form stands in no address.
      return isCheckout(order) ? c.redirect(returnPath(order), 303) : showOrder(services, c, order)
    })
}

const isCheckout = ({ access }: Order) => checkoutId.safeParse(access).success

/** As its payment has it now. */
async function readOrder(
  callApi: CallApi,
  c: Context,
  order: Order,
): Promise<{ status?: number; returned: Returned }> {
  const response = await callApi(c, {
    path: `/api/guest/purchases/${encodeURIComponent(order.id)}/settle`,
    json: { proof: order.access },
  })
  const address = isCheckout(order) ? returnPath(order) : undefined
  if (response.ok)
    return { returned: { ...order, address, purchase: guestPurchase.parse(await response.json()) } }
  const isUnknown = [404, 410, 422].includes(response.status)
  return { status: isUnknown ? 404 : response.status, returned: { ...order, address, isUnknown } }
}
