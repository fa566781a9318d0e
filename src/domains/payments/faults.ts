// Stored in the database, which all processes share, until the same call works again.
import { createHash } from 'node:crypto'
import { and, eq, gt, inArray, isNull, lt, ne, or, sql, type SQL } from 'drizzle-orm'
import { type Currency, chargeLimits } from '#contract/stripe.ts'
import type { PaymentFault } from '#contract/payments/needs-attention.ts'
import {
  formerWebhookSite,
  paymentMode,
  unconfirmedCopyOf,
  type PaymentWatch,
} from '#platform/stripe/payments.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { payment_faults, payment_outage_buyers, payment_outages } from '#tables/payments.ts'
import { products } from '#tables/catalog.ts'
import type { Log } from '#platform/log.ts'
import type { Services } from '#platform/services.ts'
import type { BookShop } from '#domains/book/shop.ts'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { queryOne } from '#platform/db/query.ts'
import { Problem } from '#platform/problem.ts'
import { defineMailJob } from '#domains/mail/sending.ts'
import type { Erased } from '#domains/accounts/erased-accounts.ts'

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

export async function checkTax(services: BookShop) {
  try {
    const missing = await findMissingForTax(services)
    if (missing.length === 0) return await deleteFaults(services, ['tax'])
    await saveFault(services, { id: 'tax', kind: 'tax', words: missing.join(', ') })
  } catch (error) {
    services.log.warn({ err: error }, 'the settings of Stripe Tax could not be read')
  }
}

async function findMissingForTax({ payments, settings }: BookShop): Promise<readonly string[]> {
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
  const faults = rows.map(({ kind, about, words, since, product }): PaymentFault => {
    return { kind, about, words, since: since.toISOString(), product }
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
  const copied = unconfirmedCopyOf(settings)
  const { site_url } = settings.get().shop
  const words = `This is the data of the shop at ${copied}, and it runs at ${site_url} now. Until an admin has confirmed that this is the shop now, nobody can pay here, and no payment is settled, refunded or looked up.`
  return copied ? [{ kind: 'copy', about: site_url, words, since: null, product: null }] : []
}

function listWebhook(settings: FaultNeeds['settings']): PaymentFault[] {
  const former = unconfirmedCopyOf(settings) ? undefined : formerWebhookSite(settings)
  const { site_url } = settings.get().shop
  const words = `Stripe reports payments to ${former}, the former address, and the shop is at ${site_url} now. Until this is changed it may hear of payments late.`
  return former ? [{ kind: 'webhook', about: null, words, since: null, product: null }] : []
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
    return { kind: 'price', about: null, words, since: since.toISOString(), product }
  })
}

// From the first buyer who was refused until the next checkout that opens. In the database, as several processes share
// it.

type Reason = (typeof payment_outages.$inferSelect)['reason']

const reasons = new Map<string, Reason>([
  ['payments.unavailable', 'unavailable'],
  ['payments.not_available', 'denied'],
])

export async function saveRefusedBuyer({ db, clock, log }: BookShop, user_id: string, error: unknown) {
  const reason = error instanceof Problem ? reasons.get(error.code) : undefined
  if (!reason) return
  try {
    await db.transaction(async (tx) => {
      const began = { id: uuidv7(), reason, began_at: clock() }
      await tx.insert(payment_outages).values(began).onConflictDoNothing()
      const [outage] = await tx
        .select({ id: payment_outages.id })
        .from(payment_outages)
        .where(isNull(payment_outages.ended_at))
        .for('share')
      // Another checkout may have opened at this moment: then the buyer's next click works, too.
      if (!outage) return
      await tx.insert(payment_outage_buyers).values({ outage_id: outage.id, user_id }).onConflictDoNothing()
    })
  } catch (failure) {
    log.warn({ err: failure }, 'a buyer who could not pay was not counted')
  }
}

/** In the transaction that stores a checkout, so that the author is notified once. */
export async function endOutage({ queue, clock, log }: BookShop, tx: Transaction) {
  const [over] = await tx
    .update(payment_outages)
    .set({ ended_at: clock() })
    .where(isNull(payment_outages.ended_at))
    .returning()
  if (!over) return
  await queue.enqueue(tx, outageMailJob, { outage_id: over.id })
  const people = await tx.$count(payment_outage_buyers, eq(payment_outage_buyers.outage_id, over.id))
  log.warn({ outage_id: over.id, people }, 'payments can be begun again; people could not pay before')
}

export const outageMailJob = defineMailJob({
  name: 'mail.payment-outage',
  kinds: ['payment_outage'],
  payload: z.object({ outage_id: z.uuid() }),
  async compose({ db, settings }, { outage_id }, branding) {
    const [outage] = await db.select().from(payment_outages).where(eq(payment_outages.id, outage_id))
    if (!outage?.ended_at || !settings.get().author_emails.failures) return undefined
    const buyers = await queryOne(db, outageBuyers, buyersOfOutage(sql`${outage_id}::uuid`))
    const { time_zone } = settings.get().shop
    const summary = describeOutage({ ...outage, ...buyers, ended_at: outage.ended_at }, time_zone)
    const { outageEmail } = await import('./payments.emails.ts')
    const email = { ...(await outageEmail({ ...buyers, summary }, branding)), to: branding.authorEmail }
    return { kind: 'payment_outage', email }
  },
})

const maxEmails = 200

const outageBuyers = z.object({ people: z.number(), emails: z.array(z.string()) })

export const buyersOfOutage = (outage_id: SQL) => sql`
  select count(*)::int as people, coalesce((array_agg(coalesce(u.email, g.email) order by coalesce(u.email, g.email))
    filter (where coalesce(u.email, g.email) is not null))[1:${sql.raw(String(maxEmails))}], '{}') as emails
  from payment_outage_buyers p left join profiles u on u.user_id = p.user_id
    left join guest_checkouts g on g.purchase_id = p.user_id
  where p.outage_id = ${outage_id}`

const causes: Record<Reason, string> = {
  unavailable: 'Stripe did not answer',
  denied: 'Stripe did not accept the key of the shop',
}

type Outage = { reason: Reason; began_at: Date; ended_at: Date; people: number }

export function describeOutage({ reason, began_at, ended_at, people }: Outage, time_zone: string): string {
  const inZone = (moment: Date, style: Intl.DateTimeFormatOptions) =>
    moment.toLocaleString('en-US', { ...style, timeZone: time_zone })
  const day = (moment: Date) => inZone(moment, { year: 'numeric', month: 'short', day: '2-digit' })
  const time = (moment: Date) => inZone(moment, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const isOneDay = day(began_at) === day(ended_at)
  const [from, to] = [began_at, ended_at].map((moment) =>
    isOneDay ? time(moment) : `${time(moment)} on ${day(moment)}`,
  )
  const period = from === to ? `at ${from}` : `from ${from} to ${to}`
  const when = isOneDay ? `On ${day(began_at)}, ${period}` : `From ${from} to ${to}`
  const who = people === 1 ? '1 person' : `${people} people`
  return `${when} (${time_zone}) ${causes[reason]}; ${who} could not pay.`
}

export const eraseFromOutages = ({ user_id, purchase_ids }: Erased) => sql`
  delete from payment_outage_buyers where user_id = ${user_id} or user_id = any(${purchase_ids})`
