// The page of a product, rendered for each request, and what its form does: the purchase of a guest.
import { randomBytes } from 'node:crypto'
import { Hono, type Context } from 'hono'
import { accessToken, guestPurchaseMade } from '#contract/orders/guest-purchases.ts'
import { discount, type Discount } from '#contract/orders/discounts.ts'
import { guestOrder, isAccountFirst } from '#contract/orders/guest-orders.ts'
import { isLowered, isOnePrice, lowerPrice, shippingPrice, shippingRange } from '#contract/orders/prices.ts'
import type { Product } from '#contract/catalog/products.ts'
import { shippingTerms } from '#contract/orders/shipments.ts'
import type { ProblemCode } from '#contract/refusals.ts'
import { buyPath, buyPattern } from '#contract/paths.ts'
import { chosenPath } from '#contract/chosen-product.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import { currentSaleMode } from '#domains/catalog/sale-mode.ts'
import { hasGuestCheckout } from '#domains/orders/guest-owners.ts'
import { readShippingTerms } from '#domains/orders/shipping.ts'
import { requireShortAddress } from '#platform/http/errors.ts'
import type { ApiEnv } from '#platform/http/route.ts'
import type { Buying, FormAnswer, PageAnswer } from './page-answer.ts'
import { limitPages, type PageLimit } from './page-limit.ts'
import { readRefusal, pageStatus, type CallApi, type Refusal } from './api-calls.ts'
import { showOrder } from './guest-purchase.ts'
import type { Site } from './site.ts'
import { readOwnForm, refuseByPage, takeForms, type Values } from './posted-forms.ts'

type Dependencies = {
  shop: CommerceShop
  site: Pick<Site, 'answer'>
  callApi: CallApi
  limit: PageLimit
}

export function buyingPages({ shop, site, callApi, limit }: Dependencies) {
  const notFound = (c: Context) => site.answer(c, buyPattern, {})

  async function show(c: Context, product: Product, values: Values, answer: Omit<PageAnswer, 'shown'> = {}) {
    const buying: Buying = {
      product,
      code: await shownCode(c, product, values),
      terms: product.ships ? await findTerms(shop) : undefined,
      orderKey: accessToken.safeParse(values['key']).data ?? newKey(),
    }
    return site.answer(c, buyPattern, { ...answer, shown: { buying } })
  }

  async function checkCode(c: Context, entered = ''): Promise<Buying['code']> {
    const code = entered.trim()
    if (!code) return undefined
    const response = await callApi(c, { path: '/api/discounts/check', json: { code } })
    if (response.ok) return { entered: code, discount: discount.parse(await response.json()) }
    const { problems, notice } = await readRefusal(response)
    return { entered: code, problem: problems?.['code'] ?? notice }
  }

  /** A code that the browser has kept from the home page is no mistake of the buyer where it takes nothing off. */
  async function shownCode(c: Context, product: Product, { code, kept }: Values): Promise<Buying['code']> {
    const checked = await checkCode(c, code)
    const isOfUse = priceOf(shop, product, checked?.discount) < product.price
    return kept && !isOfUse ? undefined : checked
  }

  async function needsAccount(c: Context, product: Product, code: string | undefined): Promise<boolean> {
    if (!hasGuestCheckout(shop, (await shop.book.get()).is_own) || product.price === 0) return true
    return priceOf(shop, product, (await checkCode(c, code))?.discount) === 0
  }

  async function order(c: Context, product: Product, values: Values): Promise<Response> {
    const { email = '', key = '', code, country, consent, letters } = values
    const seller = values['seller'] === 'stripe' ? 'stripe' : 'author'
    const shipping = product.ships ? await shippingTo(shop, values) : 0
    const json = guestOrder({
      product_id: product.id,
      email,
      proof: key,
      code,
      country,
      consent,
      letters,
      seller,
      shipping,
    })
    const response = await callApi(c, { path: '/api/guest/purchases', json })
    if (response.ok) {
      const { id, checkout_url } = guestPurchaseMade.parse(await response.json())
      // It is paid, or the payment is on its way.
      if (checkout_url === null) return showOrder({ site, callApi }, c, { id, access: key })
      return site.answer(c, '/onward', { shown: { onward: { to: checkout_url, isPayment: true } } })
    }
    const refusal = await readRefusal(response)
    if (isAccountFirst(refusal.code)) return signInFirst(c, product, code)
    const form = { action: buyPath(product.id), values, ...placed(refusal) }
    // The key stands for another purchase already, so the next attempt gets a new one.
    const entered = { ...values, key: refusal.code === keyReused ? '' : key }
    return show(c, product, entered, {
      ...pageStatus(response),
      ...(form.notice === undefined && { status: 422 }),
      form,
    })
  }

  return new Hono<ApiEnv>()
    .get(buyPattern, limitPages(limit), refuseByPage(site), async (c) => {
      requireShortAddress(c.req.url)
      const product = await findProduct(shop, c.req.param('product'))
      // Nothing else is read from an address.
      const { code = '', kept = '' } = c.req.query()
      return product ? show(c, product, { code, kept }) : notFound(c)
    })
    .post(buyPattern, ...takeForms({ site, limit }), async (c) => {
      // The other site knows the key and the email address of its form: the page of the product asks for both again.
      const values = await readOwnForm(c, site, ({ code = '' }) => ({ code }))
      if (values instanceof Response) return values
      const { code = '', key } = values
      const product = await findProduct(shop, c.req.param('product'))
      if (!product) return notFound(c)
      if (key !== undefined) return order(c, product, values)
      if (await needsAccount(c, product, code)) return signInFirst(c, product, code)
      const search = code ? `?code=${encodeURIComponent(code)}` : ''
      return c.redirect(buyPath(product.id) + search, 303)
    })
}

const keyReused = 'purchases.key_reused' satisfies ProblemCode

function signInFirst(c: Context, product: Product, code: string | undefined): Response {
  const next = encodeURIComponent(chosenPath(product.id, code || undefined))
  return c.redirect(`/auth?next=${next}&notice=sign-in-first`, 303)
}

/** Refusals that are about one field of the form. */
const fieldOf: Readonly<Partial<Record<string, string>>> = {
  'purchases.consent_needed': 'consent',
  'shipments.country_needed': 'country',
  'shipments.country_not_served': 'country',
} satisfies Partial<Record<ProblemCode, string>>

const fields = new Set(['email', 'country', 'consent'])

function placed({ code, problems = {}, notice }: Refusal): Pick<FormAnswer, 'problems' | 'notice'> {
  const field = fieldOf[code]
  if (field && notice) return { problems: { [field]: notice } }
  const other = Object.entries(problems).find(([name]) => !fields.has(name))
  return { problems, notice: notice ?? other?.[1] }
}

const newKey = () => randomBytes(32).toString('base64url')

async function findProduct({ catalogue }: CommerceShop, name: string): Promise<Product | undefined> {
  const { products } = await catalogue.get()
  const ofFormat = products.filter(({ format }) => format === name)
  const isForSale = ({ is_sold_out, is_available_soon }: Product) => !is_sold_out && !is_available_soon
  return products.find(({ id }) => id === name) ?? ofFormat.find(isForSale) ?? ofFormat[0]
}

function priceOf({ settings }: CommerceShop, product: Product, code: Discount | undefined): number {
  const { currency } = settings.get().shop
  return code && isLowered(product, code, currency)
    ? lowerPrice(product.price, code, currency).price
    : product.price
}

const termsOf = async (shop: CommerceShop) => readShippingTerms(shop, await currentSaleMode(shop))

async function findTerms(shop: CommerceShop): Promise<Buying['terms']> {
  const terms = await termsOf(shop)
  return isOnePrice(shippingRange(terms)) ? undefined : terms
}

const shownPrices = shippingTerms.pick({ price: true, country_prices: true })

/** Returns the price that the page has shown. */
async function shippingTo(shop: CommerceShop, { shipping = '', country }: Values): Promise<number> {
  const { data: prices } = shownPrices.safeParse(parseJson(shipping))
  if (prices) return shippingPrice(prices, country ?? '')
  const terms = await termsOf(shop)
  return country ? shippingPrice(terms, country) : shippingRange(terms).max
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
