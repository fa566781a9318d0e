// Connects the shop to an account at Stripe, changes its key, and disconnects it.
import { and, eq, isNull, sql } from 'drizzle-orm'
import { isLiveKey } from '#platform/contract/stripe-key.ts'
import type { MadeEndpoint } from '#platform/stripe/webhook-endpoints.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import type { Actor } from '../audit/audit-log.ts'
import { checkouts } from '../payments/schema.ts'
import { purchases } from '../purchases/schema.ts'
import { saveSettings } from '../settings/save-settings.ts'
import { readSettings } from '../settings/stored-settings.ts'
import { stripeCountries } from '../shipping/contract/countries.ts'
import { countryName } from '../shipping/contract/postal.ts'

type Needs = Pick<Services, 'db' | 'database' | 'config' | 'secrets' | 'settings' | 'clock' | 'log'>
type Key = { secretKey: string; apiBase: string | undefined }

const refuse = (secret_key: string) => new Problem('request.invalid', { fields: { secret_key } })

/**
 * Stores a key that Stripe has accepted, with the secret of a webhook endpoint that is made for it. Where Stripe makes
 * none, because it cannot reach the shop, the shop asks Stripe every minute instead. Throws request.invalid with the
 * reason at the field, settings.fixed, settings.changed, payments.still_open, payments.unavailable.
 */
export async function connect(services: Needs, actor: Actor, secret_key: string): Promise<void> {
  const { db, config, settings, secrets } = services
  if (config.overrides.payments.secret_key) throw new Problem('settings.fixed')
  requireFit(settings, secret_key)
  const key = { secretKey: secret_key, apiBase: config.stripe.apiBase }
  const account = await inspect(key)
  const before = settings.get().payments
  if (before.account && (before.account.id !== account.id || before.account.is_live !== account.is_live))
    await requireNothingOpen(db)
  const { revision } = (await readSettings(db, secrets))('payments')
  const endpoint = await makeOwnEndpoint(services, key)
  const values = { secret_key, webhook_secret: endpoint?.secret ?? null, account }
  try {
    await saveSettings(services, actor, 'payments', { revision, values, isChecked: true })
  } catch (error) {
    // Nobody has its secret.
    if (endpoint) await removeEndpoint(services, key, endpoint.id)
    throw error
  }
  await removeOwnEndpoints(services, key, endpoint?.id)
  await leave(services, before, account)
}

/** Afterwards purchases complete without any money being taken. Throws settings.fixed, settings.changed, payments.still_open. */
export async function disconnect(services: Needs, actor: Actor): Promise<void> {
  const { db, config, settings, secrets } = services
  if (config.overrides.payments.secret_key) throw new Problem('settings.fixed')
  const before = settings.get().payments
  await requireNothingOpen(db)
  const { revision } = (await readSettings(db, secrets))('payments')
  const values = { secret_key: null, webhook_secret: null, account: null }
  await saveSettings(services, actor, 'payments', { revision, values, isChecked: true })
  await leave(services, before, null)
}

function requireFit(settings: Needs['settings'], secret_key: string): void {
  const { shop, shipping } = settings.get()
  if (isLiveKey(secret_key) && !shop.site_url.startsWith('https:'))
    throw refuse('Live payments are taken over https only. Set the address of the shop first, under Shop.')
  const unserved = shipping.countries.filter((code) => !stripeCountries.has(code))
  if (unserved.length > 0)
    throw refuse(
      `Stripe takes no addresses in ${unserved.map(countryName).join(', ')}. Take them out first, under Shipping.`,
    )
}

async function inspect(key: Key): Promise<{ id: string; name: string; is_live: boolean }> {
  const { inspectKey } = await import('#platform/stripe/inspect-key.ts')
  const report = await inspectKey(key)
  if ('refused' in report) throw refuse(`Stripe does not accept this key. It says: ${report.refused}`)
  if ('missing' in report)
    throw refuse(`This restricted key lacks permissions. Add them at Stripe: ${report.missing.join(', ')}.`)
  const is_live = isLiveKey(key.secretKey)
  if (is_live && !report.takesPayments)
    throw refuse(
      `${report.account.name} cannot take payments yet. Finish its activation in Stripe’s dashboard first.`,
    )
  return { ...report.account, is_live }
}

/** Live checkouts that can still be paid, or were held, and refunds under way. No money hangs on test payments. */
async function requireNothingOpen(db: Needs['db']): Promise<void> {
  const isLive = eq(checkouts.is_live, true)
  const isPending = and(eq(purchases.status, 'pending'), isNull(checkouts.dismissed_at))
  const isGoingBack = sql`exists (select from refund_requests r
    where r.purchase_id = ${purchases.id} and r.status = 'asked')`
  const [open] = await db
    .select({ id: purchases.id })
    .from(checkouts)
    .innerJoin(purchases, eq(purchases.id, checkouts.purchase_id))
    .where(and(isLive, sql`(${isPending} or ${isGoingBack})`))
    .limit(1)
  if (open) throw new Problem('payments.still_open')
}

const webhookAt = (address: string) => `${address}/api/stripe/webhook`

async function makeOwnEndpoint({ settings, log }: Needs, key: Key): Promise<MadeEndpoint | undefined> {
  const { makeEndpoint } = await import('#platform/stripe/webhook-endpoints.ts')
  const made = await makeEndpoint(key, webhookAt(settings.get().shop.site_url))
  if (!('refused' in made)) return made
  log.warn(
    { reason: made.refused },
    'Stripe does not post events to this shop, so the shop asks every minute',
  )
  return undefined
}

/** At the addresses that the shop has, or had. A failure is only logged: an endpoint too many does no harm. */
async function removeOwnEndpoints({ settings, log }: Needs, key: Key, kept?: string): Promise<void> {
  const { site_url, former_site_urls } = settings.get().shop
  const urls = [site_url, ...former_site_urls].map(webhookAt)
  try {
    const { removeEndpoints } = await import('#platform/stripe/webhook-endpoints.ts')
    await removeEndpoints(key, { urls, kept })
  } catch (err) {
    log.warn({ err }, 'webhook endpoints of earlier keys could not be removed at Stripe')
  }
}

async function removeEndpoint({ log }: Needs, key: Key, id: string): Promise<void> {
  try {
    const { removeEndpoint: remove } = await import('#platform/stripe/webhook-endpoints.ts')
    await remove(key, id)
  } catch (err) {
    log.warn({ err }, 'a webhook endpoint that is not used could not be removed at Stripe')
  }
}

/** Of the account or mode that the shop had before. */
async function leave(
  services: Needs,
  before: ReturnType<Needs['settings']['get']>['payments'],
  after: { id: string; is_live: boolean } | null,
): Promise<void> {
  const { account, secret_key } = before
  if (!account || !secret_key || (account.id === after?.id && account.is_live === after.is_live)) return
  await removeOwnEndpoints(services, { secretKey: secret_key, apiBase: services.config.stripe.apiBase })
}
