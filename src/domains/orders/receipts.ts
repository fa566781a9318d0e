// Receipts of purchases: read by their buyers, and mailed.
import { cents, isoTime, queryFirst, queryOne } from '#platform/db/query.ts'
import { and, eq, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { fromCents } from '#contract/money.ts'
import { leftOf, wasPaid, type PurchaseStatus } from '#contract/orders/purchase-status.ts'
import { consent, receipt, type GuestReceipt, type Receipt } from '#contract/orders/receipts.ts'
import { purchases } from '#tables/orders.ts'
import { orderProblem } from './problem.ts'
import { hasNoPassword } from '#domains/accounts/accounts.ts'
import { purchasesAddress } from '#domains/accounts/links.ts'
import { notifyAuthor } from '#domains/mail/author-emails.jobs.ts'
import { lettersTerms } from '#domains/mail/letters.ts'
import { addSubscriberLink, requestedWith } from '#domains/mail/subscribers.ts'
import { showLegal } from '#domains/book/legal-pages.ts'
import { defineMailJob } from '#domains/mail/sending.ts'
import { isPaidFor, isShownAsTest, isWithdrawn, otherOrder } from './entitlements.ts'
import { declaredAt } from './withdrawal-declarations.ts'
import { readDeliveryDays } from './eu-paper.ts'
import { promisedFrom, refundRight } from './refund-right.ts'
import { addLink, findAccess, type PurchaseAccess } from './guest-orders.ts'
import { findOwnOrder } from './browser-orders.ts'
import { sellerOf } from './seller.ts'
import { addressOf } from './shipments.ts'
import type { CommerceShop } from '#domains/book/shop.ts'

export const receiptJob = defineMailJob({
  name: 'mail.receipt',
  kinds: ['receipt'],
  payload: z.object({ purchase_id: z.uuid(), moved_by: z.enum(['author', 'buyer']).optional() }),
  // The notice is sent here, so that the buyer does not wait for it; not after the email, which may be refused.
  async before(services: CommerceShop, { purchase_id }) {
    if (services.payments.mode() === 'live') await notifyAuthor(services.db, services, 'sale', purchase_id)
  },
  async compose(
    { db, log, clock, settings, mail, book }: CommerceShop,
    { purchase_id, moved_by = null },
    branding,
  ) {
    const result = await findReceipt({ db, book }, purchase_id)
    if (!result) {
      log.warn({ purchase_id }, 'no receipt: the purchase does not exist')
      return undefined
    }
    const { receiptEmail } = await import('./orders.emails.ts')
    const { siteUrl } = branding
    const places = result.is_guest
      ? orderPlaces(await addLink(db, { siteUrl, purchase_id, kind: 'receipt' }, clock()))
      : {
          page: purchasesAddress(result, siteUrl),
          print: `${siteUrl}/dashboard/receipts/${purchase_id}`,
          opens_until: null,
        }
    const delivery = readDeliveryDays({ settings })
    const letters = lettersTerms({ settings, mail }) &&
      result.letters && {
        words: result.letters.words,
        // Each receipt has a token of its own, which opens no order.
        page: await addSubscriberLink(db, result.letters.id, siteUrl, clock()),
      }
    const { pages } = showLegal((await book.get()).document)
    const terms = pages.find(({ name }) => name === 'terms')
    const { had_since, is_given_away } = result
    const facts = {
      ...result.receipt,
      ...places,
      had_since,
      is_given_away,
      moved_by,
      delivery,
      letters,
      terms: terms?.title ?? null,
    }
    const email = await receiptEmail(facts, branding)
    return { kind: 'receipt', purchase_id, email: { ...email, replyTo: branding.authorEmail } }
  },
})

/** Takes the link of an order, whose token is in the fragment. */
function orderPlaces({ url: page, expires_at }: { url: string; expires_at: Date }) {
  const [place, token] = page.split('#')
  return { page, print: `${place}/receipt#${token}`, opens_until: expires_at.toISOString() }
}

const pauseInMinutes = 2
const receiptState = z.object({ isUnderWay: z.boolean(), isJustSent: z.boolean() })

export async function sendReceipt(
  { db, queue }: CommerceShop,
  { user_id, purchase_id }: { user_id?: string; purchase_id: string },
): Promise<{ isOnItsWay: boolean }> {
  return db.transaction(async (tx) => {
    const isOfRequest = and(
      eq(purchases.id, purchase_id),
      user_id ? eq(purchases.user_id, user_id) : undefined,
    )
    // The second of two at once finds the job of the first.
    const [purchase] = await tx
      .select({ status: purchases.status, is_erased: isBuyerErased })
      .from(purchases)
      .where(isOfRequest)
      .for('update')
    if (!purchase) throw orderProblem('purchases.not_found')
    requirePaid(purchase)
    if (purchase.is_erased) throw orderProblem('purchases.buyer_erased')
    const query = sql`
      select ${queue.isUnderWay(receiptJob, 'purchase_id', sql`${purchase_id}`)} as "isUnderWay",
        exists (select from mails where purchase_id = ${purchase_id} and kind = 'receipt' and status <> 'failed'
          and created_at > now() - make_interval(mins => ${pauseInMinutes})) as "isJustSent"`
    const { isUnderWay, isJustSent } = await queryOne(tx, receiptState, query)
    if (!isUnderWay && !isJustSent) await queue.enqueue(tx, receiptJob, { purchase_id })
    return { isOnItsWay: !isJustSent }
  })
}

const isBuyerErased = sql<boolean>`coalesce(
  (select email = '' from profiles where profiles.user_id = "purchases"."user_id"), false)`

function requirePaid({ status }: { status: PurchaseStatus }): void {
  if (!wasPaid(status)) throw orderProblem('purchases.not_paid')
}

type OwnPurchase = { user_id: string; purchase_id: string }

export async function getOwnReceipt(
  services: CommerceShop,
  { user_id, purchase_id }: OwnPurchase,
): Promise<Receipt> {
  const result = await findReceipt(services, purchase_id)
  if (result?.user_id !== user_id) throw orderProblem('purchases.not_found')
  requirePaid(result.receipt)
  return result.receipt
}

/**
 * Leaves out the buyer's postal address, which the invoice has: a link may be passed on. Names the buyer only in the browser that
 * bought, and by a link that was mailed to the buyer. Throws purchases.not_found, purchases.not_paid and
 * guest_checkout.access_ended.
 */
export async function getGuestReceipt(services: CommerceShop, access: PurchaseAccess): Promise<GuestReceipt> {
  const { kind, is_over } = await findAccess(services, access)
  const result = await findReceipt(services, access.purchase_id)
  if (!result) throw orderProblem('purchases.not_found')
  requirePaid(result.receipt)
  if (is_over && !result.receipt.refund_right) throw orderProblem('guest_checkout.access_ended')
  const isBuyers = kind === 'receipt' || (!is_over && (await findOwnOrder(services.db, access)) !== undefined)
  const buyer = isBuyers ? result.receipt.buyer : null
  return { ...result.receipt, buyer, shipping_address: null, invoice_url: null }
}

const receiptRow = receipt
  .omit({ buyer: true, seller: true, product: true, price: true, is_tax_included: true, kept: true })
  .extend({
    ...receipt.shape.buyer.shape,
    ...receipt.shape.product.omit({ name: true }).shape,
    created_at: isoTime,
    consent: consent.extend({ given_at: isoTime }).nullable(),
    user_id: z.string(),
    /** What waits for the recipient's confirmation. */
    letters: z.object({ id: z.string(), words: z.string() }).nullable(),
    is_guest: z.boolean(),
    /** The order by which the recipient has the same files already; in the email alone, as links are passed on. */
    had_since: z.number().nullable(),
    is_given_away: z.boolean(),
    has_no_password: z.boolean(),
    product_name: z.string(),
    discount: cents,
    shipping: cents,
    tax: cents,
    total: cents,
    refunded: cents,
    subtotal: cents.nullable(),
  })

/** Null also where there is no money to give back, or it is on its way. */
const currentRight = (purchase: SQL, checkout: SQL) => sql`
  case when ${checkout}.payment_intent is not null and ${isPaidFor(purchase)} and ${purchase}.refunded < ${purchase}.amount
    and not ${isWithdrawn(purchase)} then ${refundRight(purchase, sql`coalesce(${declaredAt(purchase)}, now())`)} end`

/** Takes a row of checkouts. */
export const presentedAs = (checkout: SQL) => sql`
  case when ${checkout}.presented_amount is not null then jsonb_build_object('amount', ${checkout}.presented_amount,
    'currency', ${checkout}.presented_currency) end`

async function findReceipt({ db, book }: Pick<CommerceShop, 'db' | 'book'>, id: string) {
  const query = sql`
    select b.id, b.number, b.user_id, b.status, b.created_at, (select time_zone from sums_settings) as time_zone, b.amount as total, b.currency, b.refunded, b.refund_days, ${promisedFrom(sql`b`)} as promised_from, u.email, buyer_name(b.id) as display_name,
      p.name as product_name, p.format, p.is_digital, pending_release(p) as release, coalesce(c.discount, 0) + coalesce(d.discount, 0) as discount,
      coalesce(c.tax, 0) as tax, c.subtotal + coalesce(d.discount, 0) as subtotal,
      ${currentRight(sql`b`, sql`c`)} as refund_right, coalesce(s.amount, 0) as shipping, s.country as shipping_country, coalesce(c.sold_by, 'author') as sold_by,
      ${presentedAs(sql`c`)} as presented, c.invoice_url, ${isShownAsTest(sql`b`)} as is_test,
      (select jsonb_build_object('text', text, 'given_at', given_at) from consents where purchase_id = b.id) as consent,
      exists (select from shipments where purchase_id = b.id) as ships,
      ${requestedWith(sql`b.id`, sql`lower(u.email)`)} as letters,
      exists (select from guest_checkouts where purchase_id = b.id) as is_guest, ${hasNoPassword(sql`b.user_id`)} as has_no_password,
      case when p.is_digital and ${otherOrder(sql`b`)} < b.number then ${otherOrder(sql`b`)} end as had_since,
      exists (select from purchase_gifts where purchase_id = b.id) as is_given_away,
      (select coalesce(jsonb_agg(to_jsonb(a) order by a.id), '[]') from (
        select id, kind, amount, created_at from adjustments where purchase_id = b.id) a) as adjustments,
      ${addressOf(sql`b`)} as shipping_address
    from purchases b join products p on p.id = b.product_id join profiles u on u.user_id = b.user_id
    left join checkouts c on c.purchase_id = b.id left join discount_uses d on d.purchase_id = b.id
    left join shipping_charges s on s.purchase_id = b.id
    where b.id = ${id}`
  const row = await queryFirst(db, receiptRow, query)
  if (!row) return undefined
  const { user_id, is_guest, had_since, is_given_away, has_no_password, letters } = row
  const { document } = await book.get()
  return {
    user_id,
    is_guest,
    had_since,
    is_given_away,
    has_no_password,
    letters,
    receipt: { ...toReceipt(row), seller: sellerOf(document.legal) },
  }
}

function toReceipt(row: z.output<typeof receiptRow>): Omit<Receipt, 'seller'> {
  const {
    user_id: _buyer,
    is_guest: _guest,
    had_since: _earlier,
    is_given_away: _away,
    has_no_password: _passwordless,
    letters: _letters,
    refunded,
    subtotal,
    email,
    display_name,
    ...receipt
  } = row
  const { product_name: name, format, is_digital, release, ...rest } = receipt
  const { total, tax, discount, shipping } = row
  const price = subtotal ?? total + discount - tax - shipping
  return {
    ...rest,
    buyer: { email, display_name },
    product: { name, format, is_digital, release },
    price: fromCents(price),
    discount: fromCents(discount),
    shipping: fromCents(shipping),
    tax: fromCents(tax),
    is_tax_included: tax > 0n && price - discount + shipping === total,
    total: fromCents(total),
    kept: fromCents(leftOf({ amount: total, refunded })),
  }
}
