// Connects the shop to an account at Stripe, changes its key, and disconnects it.
import { and, eq, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { isLiveKey } from '#platform/contract/stripe-key.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import type { SettingValues } from '../../config.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import type { Actor } from '../audit/audit-log.ts'
import { cancelTests } from '../payments/cancel-purchase.ts'
import { checkouts } from '../payments/schema.ts'
import { purchases } from '../purchases/schema.ts'
import { saveSettings } from '../settings/save-settings.ts'
import { readSettings } from '../settings/stored-settings.ts'
import { makeOwnEndpoint, removeOwnEndpoints, storeEndpoint, type Key } from './own-endpoint.ts'

type Needs = Pick<Services, 'db' | 'database' | 'config' | 'secrets' | 'settings' | 'clock' | 'log'>
type Payments = ReturnType<Needs['settings']['get']>['payments']

const refuse = (secret_key: string) => new Problem('request.invalid', { fields: { secret_key } })

/**
 * Stores a key that Stripe has accepted, with the secret of a webhook endpoint that is made for it. Where Stripe makes
 * none, because it cannot reach the shop, the shop asks Stripe every minute instead.
 */
export async function connect(services: Needs, actor: Actor, secret_key: string): Promise<void> {
  const { db, config, settings, secrets } = services
  if (config.overrides.payments.secret_key) throw new Problem('settings.fixed')
  const key = { secretKey: secret_key, apiBase: config.stripe.apiBase }
  const account = await inspect(key)
  const before = settings.get().payments
  // Looked at twice: before Stripe makes anything, and where no checkout of this account can be missed.
  await requireLeavable(db, before, account)
  const { revision } = (await readSettings(db, secrets))('payments')
  const endpoint = await makeOwnEndpoint(services, key)
  if ('refused' in endpoint)
    services.log.warn(
      { reason: endpoint.refused },
      'Stripe does not post events to this shop, so the shop asks every minute',
    )
  const within = (tx: Transaction, { payments }: SettingValues) => requireLeavable(tx, payments, account)
  const values = { secret_key, account, had_key: true, without_key: 'not_for_sale' }
  const change = { revision, values, within }
  await storeEndpoint(services, actor, { key, endpoint, change })
  await removeFormerEndpoints(services, before, account)
}

/** Afterwards nothing is sold. */
export async function disconnect(services: Needs, actor: Actor): Promise<void> {
  const { db, config, settings, secrets } = services
  if (config.overrides.payments.secret_key) throw new Problem('settings.fixed')
  const before = settings.get().payments
  const { revision } = (await readSettings(db, secrets))('payments')
  const values = { secret_key: null, webhook_secret: null, webhook_site: null, account: null }
  const within = async (tx: Transaction, { payments }: SettingValues) => {
    await requireLeavable(tx, payments, null)
    await cancelTests(tx)
  }
  await saveSettings(services, actor, 'payments', { revision, values, isChecked: true, within })
  await removeFormerEndpoints(services, before, null)
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

type Account = { id: string; is_live: boolean }

function isLeft({ account }: Payments, after: Account | null): boolean {
  return account !== null && (account.id !== after?.id || account.is_live !== after.is_live)
}

/**
 * Refuses to leave an account with live checkouts that can still be paid, payments that are held, or refunds under way.
 * No money hangs on test payments. What another process opens in the second before it has the new key is asked for in
 * vain and held (holdUnknown).
 */
async function requireLeavable(db: Db | Transaction, before: Payments, after: Account | null): Promise<void> {
  if (!isLeft(before, after)) return
  const isPending = and(eq(purchases.status, 'pending'), isNull(checkouts.dismissed_at))
  // Without a payment it is a checkout that a wrong key did not know: the right one must not be refused for it.
  const isHeld = and(
    isNotNull(checkouts.held_reason),
    isNotNull(checkouts.payment_intent),
    isNull(checkouts.dismissed_at),
  )
  const isGoingBack = sql`exists (select from refund_requests r
    where r.purchase_id = ${purchases.id} and r.status = 'asked')`
  const [open] = await db
    .select({ id: purchases.id })
    .from(checkouts)
    .innerJoin(purchases, eq(purchases.id, checkouts.purchase_id))
    .where(and(eq(checkouts.is_live, true), or(isPending, isHeld, isGoingBack)))
    .limit(1)
  if (open) throw new Problem('payments.still_open')
}

/** At the account or in the mode that the shop had before. */
async function removeFormerEndpoints(
  services: Needs,
  before: Payments,
  after: Account | null,
): Promise<void> {
  if (!before.secret_key || !isLeft(before, after)) return
  const key = { secretKey: before.secret_key, apiBase: services.config.stripe.apiBase }
  await removeOwnEndpoints(services, key, before.webhook_site)
}
