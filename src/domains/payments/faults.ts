// Stored in the database, which all processes share, until the same call works again.
import { createHash } from 'node:crypto'
import { and, eq, gt, inArray, isNull, lt, ne, or, sql } from 'drizzle-orm'
import { type Currency, chargeLimits } from '#contract/stripe.ts'
import type { PaymentFault } from '#contract/payments/needs-attention.ts'
import { paymentMode, type PaymentWatch } from '#platform/stripe/payments.ts'
import type { Db } from '#platform/db/client.ts'
import { payment_faults } from '#tables/payments.ts'
import { products } from '#tables/catalog.ts'
import type { Log } from '#platform/log.ts'
import type { Services } from '#platform/services.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import { copyVerdict, faultVerdict, formerWebhookVerdict, priceVerdict } from './payment-verdicts.ts'

export type FaultNeeds = { db: Db; settings: Pick<Services['settings'], 'get'> }

type Fault = Pick<typeof payment_faults.$inferInsert, 'id' | 'kind' | 'about' | 'product_id' | 'words'>

const logPauseMs = 60_000

const quietMs = 10_000

const permissionHours = 6

const permissionOf = (call: string) => `permission ${call}`
const productOf = (product_id: string) => `product ${product_id}`

/** Neither a database that is away nor a log full of the same lines may stop a payment. */
export function watchPayments({ db, log, settings }: FaultNeeds & { log: Log }): PaymentWatch {
  const loggedAt = new Map<string, number>()
  let quietUntil = -Infinity

  function logSeldom(id: string, details: object): void {
    const now = performance.now()
    if (now - (loggedAt.get(id) ?? -Infinity) < logPauseMs) return
    loggedAt.set(id, now)
    log.error(details, 'the payment provider does not accept the key')
  }

  async function clearWorking(call: string) {
    await deleteFaults({ db, settings }, ['key', permissionOf(call)])
    const isStored = and(isOfKey(settings), inArray(payment_faults.kind, ['key', 'permission']))
    if ((await db.$count(payment_faults, isStored)) === 0) quietUntil = performance.now() + quietMs
  }

  return {
    async worked(call) {
      if (performance.now() >= quietUntil) await clearWorking(call).catch(ignore(log))
    },
    async denied({ call, kind, words }) {
      quietUntil = -Infinity
      const id = kind === 'key' ? 'key' : permissionOf(call)
      logSeldom(id, { call, reason: words })
      const about = kind === 'key' ? null : call
      await saveFault({ db, settings }, { id, kind, about, words }).catch(ignore(log))
    },
  }
}

const ignore = (log: Log) => (error: unknown) =>
  log.warn({ err: error }, 'a fault of the payments could not be noted')

type Refused = { product_id: string; words: string }

export async function saveProductFault(services: FaultNeeds, { product_id, words }: Refused) {
  await saveFault(services, { id: productOf(product_id), kind: 'product', product_id, words })
}

/** The next refusal records it again where the change did not help. */
export const clearProductFault = (services: FaultNeeds, product_id: string) =>
  deleteFaults(services, [productOf(product_id)])

export async function checkTax(services: CommerceShop) {
  try {
    const missing = await findMissingForTax(services)
    if (missing.length === 0) return await deleteFaults(services, ['tax'])
    await saveFault(services, { id: 'tax', kind: 'tax', words: missing.join(', ') })
  } catch (error) {
    services.log.warn({ err: error }, 'the settings of Stripe Tax could not be read')
  }
}

async function findMissingForTax({ payments, settings }: CommerceShop): Promise<readonly string[]> {
  return settings.get().tax.has_tax ? ((await payments.current()?.missingForTax()) ?? []) : []
}

function fingerprintOf(settings: FaultNeeds['settings']): string {
  const { secret_key } = settings.get().payments
  return createHash('sha256')
    .update(secret_key ?? '')
    .digest('hex')
    .slice(0, 16)
}

async function saveFault({ db, settings }: FaultNeeds, fault: Fault) {
  const key_fingerprint = fingerprintOf(settings)
  const isSame = sql`${payment_faults.key_fingerprint} = excluded.key_fingerprint`
  await db
    .insert(payment_faults)
    .values({ ...fault, key_fingerprint })
    .onConflictDoUpdate({
      target: payment_faults.id,
      set: {
        words: fault.words,
        key_fingerprint,
        last_at: sql`now()`,
        since: sql`case when ${isSame} then ${payment_faults.since} else now() end`,
      },
    })
}

/** A process that still runs with another key says nothing about this one. */
async function deleteFaults({ db, settings }: FaultNeeds, ids: string[]) {
  await db.delete(payment_faults).where(and(inArray(payment_faults.id, ids), isOfKey(settings)))
}

const isOfKey = (settings: FaultNeeds['settings']) =>
  eq(payment_faults.key_fingerprint, fingerprintOf(settings))

const isRecent = sql`${payment_faults.last_at} > now() - make_interval(hours => ${permissionHours})`
const isCurrent = or(ne(payment_faults.kind, 'permission'), isRecent)

const maxShown = 20

export async function listFaults({ db, settings }: FaultNeeds): Promise<PaymentFault[]> {
  if (paymentMode(settings) === 'none') return []
  const rows = await db
    .select({
      kind: payment_faults.kind,
      about: payment_faults.about,
      words: payment_faults.words,
      since: payment_faults.since,
      product: { id: products.id, name: products.name },
    })
    .from(payment_faults)
    .leftJoin(products, eq(products.id, payment_faults.product_id))
    .where(and(isOfKey(settings), isCurrent, or(isNull(payment_faults.product_id), products.is_for_sale)))
    .orderBy(payment_faults.since, payment_faults.id)
    .limit(maxShown)
  const faults = rows.map(({ words, since, ...row }): PaymentFault => {
    const { kind, about, product } = row
    return {
      kind,
      about,
      product,
      since: since.toISOString(),
      check: faultVerdict(settings, { ...row, words }),
    }
  })
  const prices = await listPrices(db, settings.get().shop.currency)
  const isListed = ({ product }: PaymentFault) => faults.some((fault) => fault.product?.id === product?.id)
  return [
    ...listCopy(settings),
    ...faults,
    ...listWebhook(settings),
    ...prices.filter((fault) => !isListed(fault)),
  ]
}

function listCopy(settings: FaultNeeds['settings']): PaymentFault[] {
  const check = copyVerdict(settings)
  return check
    ? [{ kind: 'copy', about: settings.get().shop.site_url, check, since: null, product: null }]
    : []
}

function listWebhook(settings: FaultNeeds['settings']): PaymentFault[] {
  const check = formerWebhookVerdict(settings)
  return check ? [{ kind: 'webhook', about: null, check, since: null, product: null }] : []
}

async function listPrices(db: Db, currency: Currency): Promise<PaymentFault[]> {
  const { min, max, words } = chargeLimits(currency)
  const isTooLittle = and(gt(products.price, 0n), lt(products.price, min))
  const rows = await db
    .select({ id: products.id, name: products.name, since: products.created_at })
    .from(products)
    .where(and(products.is_for_sale, or(isTooLittle, gt(products.price, max))))
    .limit(maxShown)
  return rows.map(({ since, ...product }) => {
    const check = priceVerdict(product, words)
    return { kind: 'price', about: null, check, since: since.toISOString(), product }
  })
}
