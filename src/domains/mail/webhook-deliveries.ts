// What the webhook sends: a row is inserted in the transaction of what it tells, and a job sends it, one of a subject at a
// time. The body is made at each attempt, so that nothing leaves that has become untrue since.
import { randomUUID } from 'node:crypto'
import { and, desc, eq, isNull, lt, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { dayMs } from '#contract/durations.ts'
import type { Delivery, DeliveryQuery, WebhookEvent, WebhookState } from '#contract/mail/webhook.ts'
import { recordAuditEvent, type Actor } from '#platform/audit-log.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { deleteBatches, queryAll, readCursor, toPage } from '#platform/db/query.ts'
import { failureReason } from '#platform/errors.ts'
import { defineJob, PermanentFailure, Postponed, shortestPause } from '#platform/queue.ts'
import { addFields, readSettingsIn } from '#platform/stored-settings.ts'
import { unconfirmedCopyOf } from '#platform/stripe/payments.ts'
import { postWebhook, type WebhookResponse, type WebhookTarget } from '#platform/webhook.ts'
import type { Settings } from '#platform/settings.ts'
import { webhook_deliveries } from '#tables/mail.ts'
import { mailProblem, type MailShop } from './shop.ts'

/** A former secret signs, too, for so long. */
const formerSecretMs = dayMs

/** Nothing is sent any more after it, and an address is not stored for longer. */
const maxAgeMs = 4 * dayMs
const listedDays = 30

/** Read from the database: the settings in memory may be a second old. */
const isOn = sql`exists (
  select from settings s join auth.setting_secrets k on k.name = 'webhook.url'
  where s.name = 'webhook' and s.fields ->> 'host' <> '' and s.fields ->> 'switched_off' is null)`

/**
 * `about` selects `subject_id`, `email` and `adjustment_id`, and locks the rows of the subjects, or its transaction does: the
 * order of the rows is the order in which they are sent. Nothing is inserted while the webhook is off.
 */
export async function recordEvents(
  tx: Transaction,
  event: WebhookEvent,
  about: SQL,
  now: Date,
): Promise<void> {
  await tx.execute(sql`
    insert into webhook_deliveries (event, subject_id, email, adjustment_id, created_at)
    select ${event}::text, r.subject_id, r.email, r.adjustment_id, ${now}::timestamptz
    from (${about}) r (subject_id, email, adjustment_id) where ${isOn}
    on conflict (adjustment_id) do nothing`)
}

export async function recordConfirmed(tx: Transaction, subscriber_id: string, now: Date): Promise<void> {
  await recordEvents(tx, 'subscriber.confirmed', sql`select ${subscriber_id}::uuid, null, null::uuid`, now)
}

type Ended = { id: string; email: string }

export async function recordEnded(tx: Transaction, { id, email }: Ended, now: Date): Promise<void> {
  await recordEvents(tx, 'subscriber.ended', sql`select ${id}::uuid, ${email}::text, null::uuid`, now)
}

type Shop = Pick<MailShop, 'settings' | 'clock'>

export function webhookStateOf(settings: Pick<Settings, 'get'>): WebhookState {
  const { host, switched_off, url, signing_secret } = settings.get().webhook
  if (!host) return 'none'
  if (switched_off) return switched_off
  if (!url || !signing_secret) return 'locked'
  return unconfirmedCopyOf(settings) ? 'copy' : 'on'
}

/** Null where no secret was renewed in the last day. */
export function formerSecretEnd({ settings, clock }: Shop): Date | null {
  const { former_secret, renewed_at } = settings.get().webhook
  const end = new Date(new Date(renewed_at ?? 0).getTime() + formerSecretMs)
  return former_secret && end > clock() ? end : null
}

/** Undefined where nothing is to be sent. */
function findTarget(shop: Shop): WebhookTarget | undefined {
  const { url, signing_secret, former_secret, is_public_only } = shop.settings.get().webhook
  if (webhookStateOf(shop.settings) !== 'on' || !url || !signing_secret) return undefined
  const secrets = [signing_secret, ...(former_secret && formerSecretEnd(shop) ? [former_secret] : [])]
  return { url, secrets, isPublicOnly: is_public_only }
}

/** The rest follows a minute later. */
const maxAtOnce = 500

/** While so many wait for a retry, the receiver is in trouble, and no more are added. */
const maxUnderWay = 2000

const underWay = sql`(
  select count(*) from webhook_deliveries u where u.settled_at is null and u.job_id is not null)`

/**
 * True for a row `d` behind another one that was not settled yet: of the same subscriber or purchase, or of a former
 * subscriber with the same address.
 */
const isBehind = sql`exists (
  select from webhook_deliveries e where e.settled_at is null and e.number < d.number and (
    e.subject_id = d.subject_id
    or e.email = coalesce(d.email, (select s.email from subscribers s where s.id = d.subject_id))))`

/** True for a row `d` whose subscriber is not on the list any more. */
const isUntrue = sql`d.event = 'subscriber.confirmed' and not exists (
  select from subscribers s where s.id = d.subject_id and s.confirmed_at is not null and s.ended_at is null)`

const identified = z.object({ id: z.string() })

/** Once a minute: enqueues the jobs of what waits, in one transaction with what says so. */
export async function queueDeliveries(services: MailShop): Promise<void> {
  const { db, queue } = services
  if (!findTarget(services)) return
  await db.transaction(async (tx) => {
    const taken = await queryAll(
      tx,
      identified.extend({ job_id: z.string() }),
      sql`
        update webhook_deliveries set job_id = gen_random_uuid() where id in (
          select d.id from webhook_deliveries d
          where d.settled_at is null and d.job_id is null and not ${isBehind}
          order by d.number limit least(${maxAtOnce}::int, greatest(0, ${maxUnderWay}::int - ${underWay})) for update skip locked)
        returning id, job_id`,
    )
    for (const { id, job_id } of taken) await queue.enqueue(tx, webhookJob, { id }, { id: job_id })
    // Its next attempt, which drops it, may be hours away, and the end of the letters waits behind it.
    const untrue = await queryAll(
      tx,
      identified,
      sql`select d.job_id as id from webhook_deliveries d where d.settled_at is null and d.job_id is not null and ${isUntrue}`,
    )
    for (const { id } of untrue) await queue.runSoon(tx, id)
  })
}

export const webhookJob = defineJob({
  name: 'webhook',
  payload: z.object({ id: z.uuid() }),
  async run(services: MailShop, { id }, attempt) {
    const { db, webhookData } = services
    const [row] = await db.select().from(webhook_deliveries).where(eq(webhook_deliveries.id, id))
    // It was dropped or erased, or has another job.
    if (!row || row.settled_at || row.job_id !== attempt.id) return
    const target = findTarget(services)
    if (!target) {
      // Another job sends it once the webhook is on again.
      await db.update(webhook_deliveries).set({ job_id: null }).where(isWaiting(id))
      return
    }
    const data = await webhookData[row.event](db, row)
    if (!data) return dropUntrue(services, row)
    // The receiver may have what a process that is killed has begun to send.
    const { rowCount } = await db
      .update(webhook_deliveries)
      .set({ attempts: sql`${webhook_deliveries.attempts} + 1`, attempted_at: services.clock() })
      .where(isWaiting(id))
    if (!rowCount) return
    const outcome = await attemptDelivery(services, target, { ...row, data })
    if (outcome.isDelivered) return settle(services, id, { status: 'delivered' })
    const { error, isGone, retryAfter } = outcome
    if (attempt.isLast || isGone) {
      await settle(services, id, { status: 'failed', error })
      if (isGone) await switchOff(services, target)
      throw new PermanentFailure(error)
    }
    await db.update(webhook_deliveries).set({ error }).where(isWaiting(id))
    if (retryAfter === undefined) throw new Error(error)
    // A postponed job spends an attempt, too: short waits would end them all in minutes.
    throw new Postponed(error, Math.max(retryAfter, shortestPause(attempt.number)))
  },
})

const isWaiting = (id: string) => and(eq(webhook_deliveries.id, id), isNull(webhook_deliveries.settled_at))

type Outcome =
  | { isDelivered: true }
  | { isDelivered: false; error: string; isGone: boolean; retryAfter: number | undefined }

/** The body has the time of the event; by the header's, that of the attempt, the receiver refuses what is old. */
async function attemptDelivery(
  { clock }: Pick<MailShop, 'clock'>,
  target: WebhookTarget,
  { id, event, created_at, data }: { id: string; event: WebhookEvent; created_at: Date; data: object },
): Promise<Outcome> {
  const body = JSON.stringify({ type: event, timestamp: created_at.toISOString(), data })
  let response: WebhookResponse
  try {
    response = await postWebhook(target, { id, body }, clock())
  } catch (error) {
    return { isDelivered: false, error: failureReason(error), isGone: false, retryAfter: undefined }
  }
  const { status, retryAfter } = response
  if (status >= 200 && status < 300) return { isDelivered: true }
  return { isDelivered: false, error: `The receiver answered ${status}.`, isGone: status === 410, retryAfter }
}

type Settled = { status: 'delivered' | 'dropped' | 'failed'; error?: string }

async function settle({ db, clock }: MailShop, id: string, settled: Settled): Promise<void> {
  await db
    .update(webhook_deliveries)
    .set({ error: null, ...settled, email: null, settled_at: clock() })
    .where(isWaiting(id))
}

/** A receiver that was never told of the subscriber hears nothing of the end either: that would name the address. */
async function dropUntrue({ db, clock }: MailShop, { id }: { id: string }): Promise<void> {
  const now = clock()
  await db.execute(sql`
    with dropped as (
      update webhook_deliveries set status = 'dropped', error = null, email = null, settled_at = ${now}
      where id = ${id} and settled_at is null returning subject_id, number, event, attempts)
    update webhook_deliveries set status = 'dropped', email = null, settled_at = ${now}
    where id = (
      select e.id from webhook_deliveries e join dropped d on e.subject_id = d.subject_id and e.number > d.number
      where e.event = 'subscriber.ended' and e.settled_at is null and d.event = 'subscriber.confirmed' and d.attempts = 0
        and not exists (
          select from webhook_deliveries f where f.subject_id = d.subject_id and f.number < d.number
            and (f.status <> 'dropped' or f.attempts > 0))
      order by e.number limit 1)`)
}

/** Nothing that waits is sent any more. */
export async function dropDeliveries(tx: Transaction, now: Date): Promise<void> {
  await tx
    .update(webhook_deliveries)
    .set({ status: 'dropped', email: null, settled_at: now })
    .where(isNull(webhook_deliveries.settled_at))
}

const shop = { id: null, email: 'shop', ip: null }

/** The receiver wants nothing any more. Nothing happens where the author has entered another address meanwhile. */
async function switchOff(
  { db, secret, settings, clock }: MailShop,
  { url }: Pick<WebhookTarget, 'url'>,
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('lectern settings'))`)
    const { secrets } = (await readSettingsIn(tx, secret))('webhook')
    if (secrets.get('url')?.text !== url) return
    await addFields(tx, 'webhook', { switched_off: 'gone' })
    await dropDeliveries(tx, clock())
    await recordAuditEvent(tx, shop, { action: 'webhook.gone', subject: settings.get().webhook.host })
  })
  await settings.refresh()
}

/** The shop that was backed up may run on, so the restored one sends nothing before its author says so. */
export async function stopRestoredWebhook(db: Db, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const { host } = await readHost(tx)
    if (!host) return
    await addFields(tx, 'webhook', { switched_off: 'restored' })
    await dropDeliveries(tx, now)
  })
}

async function readHost(tx: Transaction): Promise<{ host: string }> {
  const { fields } = (await readSettingsIn(tx, undefined))('webhook')
  return z.object({ host: z.string().default('') }).parse(fields)
}

/** Sends a test at once, and once. Throws webhook.off. */
export async function sendTestDelivery(services: MailShop, actor: Actor): Promise<Delivery> {
  const { db, clock, settings, webhookData } = services
  const target = findTarget(services)
  if (!target) throw mailProblem('webhook.off')
  const [id, created_at] = [randomUUID(), clock()]
  const event = 'webhook.test'
  const data = await webhookData[event](db, { subject_id: id, email: null, adjustment_id: null, created_at })
  const outcome = await attemptDelivery(services, target, { id, event, created_at, data })
  await recordAuditEvent(db, actor, { action: 'webhook.tested', subject: settings.get().webhook.host })
  const now = clock()
  const [row] = await db
    .insert(webhook_deliveries)
    .values({
      id,
      event,
      subject_id: id,
      status: outcome.isDelivered ? 'delivered' : 'failed',
      error: outcome.isDelivered ? null : outcome.error,
      attempts: 1,
      attempted_at: now,
      settled_at: now,
      created_at,
    })
    .returning()
  if (!row) throw new Error('an insert returned no row')
  if (!outcome.isDelivered && outcome.isGone) await switchOff(services, target)
  return toDelivery(row)
}

function toDelivery(row: typeof webhook_deliveries.$inferSelect): Delivery {
  const { id, event, status, attempts, error, created_at, attempted_at } = row
  return {
    id,
    event,
    status,
    attempts,
    error,
    created_at: created_at.toISOString(),
    attempted_at: attempted_at?.toISOString() ?? null,
  }
}

const pageSize = 50

/** Newest first. */
export async function listDeliveries(db: Db, { after }: DeliveryQuery) {
  const { number } = webhook_deliveries
  const last = readCursor(after, z.tuple([z.number().int()]))
  const rows = await db
    .select()
    .from(webhook_deliveries)
    .where(last && lt(number, last[0]))
    .orderBy(desc(number))
    .limit(pageSize + 1)
  return toPage(rows, pageSize, { item: toDelivery, key: (row) => [row.number] })
}

/** Those of the last week, but tests. */
export async function countGivenUp({ db, clock }: Pick<MailShop, 'db' | 'clock'>): Promise<number> {
  const since = new Date(clock().getTime() - 7 * dayMs)
  return db.$count(
    webhook_deliveries,
    sql`${webhook_deliveries.status} = 'failed' and ${webhook_deliveries.settled_at} > ${since} and ${webhook_deliveries.event} <> 'webhook.test'`,
  )
}

/** What could not be sent in four days is given up, with the address in it. */
export async function sweepDeliveries({ db, clock }: Pick<MailShop, 'db' | 'clock'>): Promise<void> {
  const now = clock()
  // What waited while nothing could be sent is no failure of the receiver.
  const status = sql`case when ${webhook_deliveries.attempts} = 0 then 'dropped' else 'failed' end`
  const isTooOld = lt(webhook_deliveries.created_at, new Date(now.getTime() - maxAgeMs))
  await db
    .update(webhook_deliveries)
    .set({ status, email: null, settled_at: now })
    .where(and(isNull(webhook_deliveries.settled_at), isTooOld))
  const isOld = lt(webhook_deliveries.created_at, new Date(now.getTime() - listedDays * dayMs))
  await deleteBatches(db, webhook_deliveries.id, isOld)
}
