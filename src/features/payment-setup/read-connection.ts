// What the shop knows of its connection to Stripe.
import { and, desc, eq, gt, ne } from 'drizzle-orm'
import { formerWebhookSite, paymentKeys, paymentMode } from '#platform/stripe/payment-keys.ts'
import type { Services } from '../../services.ts'
import { isCompleted } from '../purchases/contract/purchases.ts'
import { purchases } from '../purchases/schema.ts'
import { currentSaleMode, type WithOwnBook } from '../products/sale-mode.ts'
import { describeSettings } from '../settings/describe-settings.ts'
import type { Connection } from './contract/connection.ts'

type Needs = Pick<Services, 'db' | 'config' | 'secrets' | 'settings'> & WithOwnBook

export async function readConnection(services: Needs): Promise<Connection> {
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
    former_webhook: formerWebhookSite(settings) ?? null,
    test_order: await findTestOrder(db),
  }
}

async function findTestOrder(db: Needs['db']): Promise<Connection['test_order']> {
  const { id, number, status, is_test, amount, created_at } = purchases
  const [newest] = await db
    .select({ id, number, status })
    .from(purchases)
    .where(and(eq(is_test, true), gt(amount, 0), ne(status, 'canceled')))
    .orderBy(desc(created_at))
    .limit(1)
  if (!newest) return null
  const is_refunded = newest.status === 'refunded'
  return {
    id: newest.id,
    number: newest.number,
    is_paid: is_refunded || isCompleted(newest.status),
    is_refunded,
  }
}
