// Connects the shop to Stripe and disconnects it: keys, webhook endpoints, and the confirmation of a copy.
import {
  unconfirmedCopyOf,
  formerWebhookSite,
  paymentKeys,
  paymentMode,
  webhookAt,
} from '#platform/stripe/payments.ts'
import { type SettingsShop, settingsProblem } from './shop.ts'
import type { Services } from '#platform/services.ts'
import type { Actor } from '#platform/audit-log.ts'
import { saveSettings, type SettingsToSave, describeSettings } from './settings.ts'
import { mergeSettings, readSettings } from '#platform/stored-settings.ts'
import { and, eq, isNotNull, isNull, or, sql, desc, gt, ne } from 'drizzle-orm'
import { isLiveKey } from '#contract/stripe.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import type { SettingValues } from '../../config.ts'
import { scopeOf } from '#platform/public-connection.ts'
import { platformProblem } from '#platform/problem.ts'
import { listFaults } from '#domains/payments/faults.ts'
import { cancelTests } from '#domains/payments/settle.ts'
import { checkouts } from '#tables/payments.ts'
import { purchases } from '#tables/orders.ts'
import { isCompleted } from '#contract/orders/purchase-status.ts'
import { currentSaleMode } from '#domains/catalog/sale-mode.ts'
import type { Connection } from '#contract/settings/settings.ts'

type Key = { secretKey: string; apiBase: string | undefined }

export async function moveWebhook(services: SettingsShop, actor: Actor) {
  const { db, config, secret } = services
  if (config.overrides.payments.secret_key) throw settingsProblem('settings.fixed')
  const stored = await readSettings(db, secret)
  const { secret_key } = mergeSettings(config, stored).payments
  if (!secret_key) throw settingsProblem('payments.not_connected')
  const key = { secretKey: secret_key, apiBase: config.stripe.apiBase }
  const endpoint = await makeOwnEndpoint(services, key)
  if ('refused' in endpoint)
    throw settingsProblem('payments.webhook_refused', {
      detail: `Stripe does not report payments to this address. It says: ${endpoint.refused}`,
    })
  const { revision } = stored('payments')
  await saveEndpoint(services, actor, { key, endpoint, change: { revision, values: {} } })
}

type OwnEndpoint = Awaited<ReturnType<typeof makeOwnEndpoint>>

async function makeOwnEndpoint({ settings }: SettingsShop, key: Key) {
  const { makeEndpoint } = await import('#platform/stripe/account.ts')
  const { shop, payments } = settings.get()
  const site = shop.site_url
  const urls = { url: webhookAt(site), formerUrls: formerWebhooks(settings, payments.webhook_site) }
  return { ...(await makeEndpoint(key, urls)), site }
}

/** A copy that was not confirmed leaves the shop its endpoints. */
function formerWebhooks(settings: Services['settings'], endpoint_site: string | null): string[] {
  const { former_site_urls } = settings.get().shop
  if (unconfirmedCopyOf(settings)) return []
  return [...former_site_urls, ...(endpoint_site ? [endpoint_site] : [])].map(webhookAt)
}

type StoredEndpoint = { key: Key; endpoint: OwnEndpoint; change: SettingsToSave }

async function saveEndpoint(services: SettingsShop, actor: Actor, { key, endpoint, change }: StoredEndpoint) {
  const newEndpoint = 'refused' in endpoint ? undefined : endpoint
  const webhook = { webhook_secret: newEndpoint?.secret ?? null, webhook_site: newEndpoint?.site ?? null }
  try {
    const values = { ...change.values, ...webhook }
    await saveSettings(services, actor, 'payments', { ...change, values, isChecked: true })
  } catch (error) {
    // Its secret is stored nowhere.
    if (newEndpoint) await remove(services, key, [newEndpoint.id])
    throw error
  }
  await remove(services, key, endpoint.others)
}

async function removeOwnEndpoints(services: SettingsShop, key: Key, endpoint_site: string | null) {
  const { listEndpoints } = await import('#platform/stripe/account.ts')
  const { shop } = services.settings.get()
  const urls = [webhookAt(shop.site_url), ...formerWebhooks(services.settings, endpoint_site)]
  await remove(services, key, listEndpoints(key, urls))
}

/** A failure is only logged: an endpoint too many does no harm. */
async function remove({ log }: SettingsShop, key: Key, ids: readonly string[] | Promise<string[]>) {
  try {
    const { removeEndpoints } = await import('#platform/stripe/account.ts')
    await removeEndpoints(key, await ids)
  } catch (err) {
    log.warn({ err }, 'webhook endpoints that are not used any more could not be removed at Stripe')
  }
}

type Payments = ReturnType<Services['settings']['get']>['payments']

const refuse = (secret_key: string) => platformProblem('request.invalid', { fields: { secret_key } })

/** Stripe makes no endpoint where it cannot reach the shop, and the shop asks Stripe every minute. */
export async function connect(services: SettingsShop, actor: Actor, secret_key: string) {
  const { db, config, settings, secret } = services
  if (config.overrides.payments.secret_key) throw settingsProblem('settings.fixed')
  const key = { secretKey: secret_key, apiBase: config.stripe.apiBase }
  const account = await inspect(key)
  const before = settings.get().payments
  // Checked twice: before Stripe makes anything, and where no checkout of this account can be missed.
  await requireLeavable(db, before, account)
  await requireLink(services, key)
  const { revision } = (await readSettings(db, secret))('payments')
  const endpoint = await makeOwnEndpoint(services, key)
  if ('refused' in endpoint)
    services.log.warn(
      { reason: endpoint.refused },
      'Stripe does not post events to this shop, so the shop asks every minute',
    )
  const within = (tx: Transaction, { payments }: SettingValues) => requireLeavable(tx, payments, account)
  const values = { secret_key, account, had_key: true, without_key: 'not_for_sale' }
  const change = { revision, values, within }
  await saveEndpoint(services, actor, { key, endpoint, change })
  await removeFormerEndpoints(services, before, account)
}

/** Where Link sells files, the account must have it sell. */
async function requireLink({ db, settings }: SettingsShop, key: Key) {
  const values = settings.get()
  if (values.tax.digital_seller !== 'stripe') return
  const { tryLink } = await import('#domains/payments/trial-checkouts.ts')
  const refused = await tryLink(db, key, values)
  if (refused) throw refuse(`${refused} Choose another seller of files under Tax, or allow it at Stripe.`)
}

export async function disconnect(services: SettingsShop, actor: Actor) {
  const { db, config, settings, secret } = services
  if (config.overrides.payments.secret_key) throw settingsProblem('settings.fixed')
  const before = settings.get().payments
  const { revision } = (await readSettings(db, secret))('payments')
  const values = { secret_key: null, webhook_secret: null, webhook_site: null, account: null }
  const within = async (tx: Transaction, { payments }: SettingValues) => {
    await requireLeavable(tx, payments, null)
    await cancelTests(tx)
  }
  await saveSettings(services, actor, 'payments', { revision, values, isChecked: true, within })
  await removeFormerEndpoints(services, before, null)
}

async function inspect({ secretKey, apiBase }: Key) {
  const { inspectKey } = await import('#platform/stripe/account.ts')
  const report = await inspectKey({ secretKey, apiBase })
  if ('refused' in report) throw refuse(`Stripe does not accept this key. It says: ${report.refused}`)
  if ('missing' in report) {
    const missing = report.missing.join(', ')
    throw refuse(`This restricted key lacks permissions. Add them at Stripe: ${missing}.`)
  }
  const { account, takesPayments } = report
  const is_live = isLiveKey(secretKey)
  if (is_live && !takesPayments)
    throw refuse(
      `${account.name} cannot take payments yet. Finish its activation in Stripe’s dashboard first.`,
    )
  return { ...account, is_live }
}

type Account = { id: string; is_live: boolean }

function isLeft({ account }: Payments, after: Account | null): boolean {
  return account !== null && (account.id !== after?.id || account.is_live !== after.is_live)
}

// Refuses while live payments are under way. What another process opens before it has the new key is held later.
async function requireLeavable(db: Db | Transaction, before: Payments, after: Account | null) {
  if (!isLeft(before, after)) return
  const isPending = and(eq(purchases.status, 'pending'), isNull(checkouts.dismissed_at))
  // A checkout without a payment is one that a wrong key did not know: the right key must not be refused for it.
  const hasPayment = isNotNull(checkouts.payment_intent)
  const isHeld = and(isNotNull(checkouts.held_reason), hasPayment, isNull(checkouts.dismissed_at))
  const isGoingBack = sql`exists (select from refund_requests r
    where r.purchase_id = ${purchases.id} and r.status = 'requested')`
  const [open] = await db
    .select({ id: purchases.id })
    .from(checkouts)
    .innerJoin(purchases, eq(purchases.id, checkouts.purchase_id))
    .where(and(eq(checkouts.is_live, true), or(isPending, isHeld, isGoingBack)))
    .limit(1)
  if (open) throw settingsProblem('payments.still_open')
}

async function removeFormerEndpoints(services: SettingsShop, before: Payments, after: Account | null) {
  if (!before.secret_key || !isLeft(before, after)) return
  const key = { secretKey: before.secret_key, apiBase: services.config.stripe.apiBase }
  await removeOwnEndpoints(services, key, before.webhook_site)
}

export async function confirmCopy(services: SettingsShop, actor: Actor, site_url: string) {
  const { db, secret, settings } = services
  if (settings.get().shop.site_url !== site_url) throw settingsProblem('settings.changed')
  const { revision } = (await readSettings(db, secret))('shop')
  const values = { confirmed_site_url: site_url }
  await saveSettings(services, actor, 'shop', { revision, values, isChecked: true })
}

export async function readConnection(services: SettingsShop): Promise<Connection> {
  const { db, config, settings } = services
  const is_from_environment = config.overrides.payments.secret_key !== undefined
  const { account } = settings.get().payments
  const { secrets } = await describeSettings(services, 'payments')
  return {
    mode: paymentMode(settings),
    sale_mode: await currentSaleMode(services),
    is_from_environment,
    account: is_from_environment || !account ? null : { id: account.id, name: account.name },
    key: is_from_environment ? null : (secrets['secret_key'] ?? null),
    has_webhook: paymentKeys(settings)?.webhookSecret !== undefined,
    unreachable: findUnreachable(settings.get().shop.site_url),
    former_webhook: formerWebhookSite(settings) ?? null,
    test_order: await findTestOrder(db),
    refused_checkouts: (await listFaults(services)).flatMap(({ kind, product, check }) =>
      kind === 'product' && product ? [{ product: product.name, words: check.answer ?? '' }] : [],
    ),
  }
}

function findUnreachable(url: string): Connection['unreachable'] {
  const scope = scopeOf(url)
  if (scope !== 'internet') return { url, reason: scope }
  return url.startsWith('https:') ? null : { url, reason: 'no_https' }
}

/** The order is the one that has come furthest, so that another test purchase undoes no step. */
async function findTestOrder(db: Db): Promise<Connection['test_order']> {
  const { id, number, status, amount, created_at } = purchases
  const [order] = await db
    .select({ id, number, status })
    .from(purchases)
    .innerJoin(checkouts, eq(checkouts.purchase_id, id))
    .where(and(eq(checkouts.is_live, false), gt(amount, 0n), ne(status, 'canceled')))
    .orderBy(desc(eq(status, 'refunded')), eq(status, 'pending'), desc(created_at))
    .limit(1)
  if (!order) return null
  const is_refunded = order.status === 'refunded'
  const is_paid = is_refunded || isCompleted(order.status)
  return { id: order.id, number: order.number, is_paid, is_refunded }
}
