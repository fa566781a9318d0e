// A purchase of a guest without scripts: what its page shows, and what its forms do.
import { Hono, type Context } from 'hono'
import { checkoutId, guestPurchase } from '#contract/orders/guest-purchases.ts'
import { download } from '#contract/orders/purchases.ts'
import { returnPath, returnPattern } from '#contract/paths.ts'
import { requireShortAddress } from '#platform/http/errors.ts'
import type { ApiEnv } from '#platform/http/route.ts'
import { readRefusal, pageStatus, type CallApi } from './api-calls.ts'
import type { PageAnswer, OpenedPurchase } from './page-answer.ts'
import type { PageLimit } from './page-limit.ts'
import type { Site } from './site.ts'
import { readOwnForm, refuseByPage, takeForms, type Values } from './posted-forms.ts'

type Dependencies = { site: Pick<Site, 'answer'>; callApi: CallApi }
type Order = Pick<OpenedPurchase, 'id' | 'access'>

/** Shows the key of its form, too, for a buyer who sends it once more after the payment. */
export async function showOrder(
  { site, callApi }: Dependencies,
  c: Context,
  order: Order,
  more: PageAnswer = {},
): Promise<Response> {
  const { openedPurchase, ...answer } = await readOrder(callApi, c, order)
  return site.answer(c, returnPattern, { ...answer, ...more, shown: { openedPurchase } })
}

type PageDependencies = Dependencies & { site: Pick<Site, 'handle'>; limit: PageLimit }

export function guestPurchasePages(services: PageDependencies) {
  const { site, callApi, limit } = services

  const take = takeForms(services, ({ req }) => `/purchase/${encodeURIComponent(req.param('id') ?? '')}`)

  async function readOwn(c: Context): Promise<{ order: Order; values: Values } | Response> {
    const values = await readOwnForm(c, site)
    if (values instanceof Response) return values
    return { order: { id: c.req.param('id') ?? '', access: values['access'] ?? '' }, values }
  }

  async function refuse(c: Context, order: Order, response: Response): Promise<Response> {
    const { problems, notice } = await readRefusal(response)
    const form = { ...noForm, notice: notice ?? Object.values(problems ?? {})[0] }
    return showOrder(services, c, order, { ...pageStatus(response), form })
  }

  return new Hono<ApiEnv>()
    .get('/purchase/:id', refuseByPage(site), async (c) => {
      requireShortAddress(c.req.url)
      const access = c.req.query('session_id')
      if (access === undefined) return site.handle(c)
      return (await limit(c)) ?? showOrder(services, c, { id: c.req.param('id'), access })
    })
    .post('/purchase/:id/download', ...take, async (c) => {
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
    .post('/purchase/:id/refund', ...take, async (c) => {
      const own = await readOwn(c)
      if (own instanceof Response) return own
      const { order, values } = own
      const path = `/api/guest/purchases/${encodeURIComponent(order.id)}/refund`
      const proof = order.access
      const response = await callApi(
        c,
        'takes_back' in values
          ? { path: `${path}/end`, json: { proof } }
          : { path, json: { proof, reason: values['reason'] ?? '', is_request: 'is_request' in values } },
      )
      if (!response.ok) return refuse(c, order, response)
      // The key of a form stands in no address.
      return isCheckout(order) ? c.redirect(returnPath(order), 303) : showOrder(services, c, order)
    })
}

/** The notice stands above the page and belongs to no form. */
const noForm = { action: '', values: {} }

const isCheckout = ({ access }: Order) => checkoutId.safeParse(access).success

/** Reads the order as its payment has it now. */
async function readOrder(
  callApi: CallApi,
  c: Context,
  order: Order,
): Promise<Omit<PageAnswer, 'shown'> & { openedPurchase: OpenedPurchase }> {
  const response = await callApi(c, {
    path: `/api/guest/purchases/${encodeURIComponent(order.id)}/settle`,
    json: { proof: order.access },
  })
  const address = isCheckout(order) ? returnPath(order) : undefined
  if (response.ok)
    return { openedPurchase: { ...order, address, purchase: guestPurchase.parse(await response.json()) } }
  if ([404, 410, 422].includes(response.status))
    return { status: 404, openedPurchase: { ...order, address, isUnknown: true } }
  const { notice } = await readRefusal(response)
  return { ...pageStatus(response), form: { ...noForm, notice }, openedPurchase: { ...order, address } }
}
