// The webhook endpoint that the shop makes for itself at Stripe: one, at the address of the shop.
import type { MadeEndpoint } from '#platform/stripe/webhook-endpoints.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import type { Actor } from '../audit/audit-log.ts'
import { saveSettings, type SettingsToSave } from '../settings/save-settings.ts'
import { mergeSettings, readSettings } from '../settings/stored-settings.ts'

type Needs = Pick<Services, 'db' | 'database' | 'config' | 'secrets' | 'settings' | 'clock' | 'log'>
export type Key = { secretKey: string; apiBase: string | undefined }

const webhookAt = (address: string) => `${address}/api/stripe/webhook`

/**
 * Has Stripe report payments to the address that the shop has now. Throws settings.fixed, settings.changed,
 * payments.not_connected, payments.webhook_refused with Stripe's reason, payments.unavailable.
 */
export async function moveWebhook(services: Needs, actor: Actor): Promise<void> {
  const { db, config, secrets } = services
  if (config.overrides.payments.secret_key) throw new Problem('settings.fixed')
  const stored = await readSettings(db, secrets)
  const { secret_key } = mergeSettings(config, stored).payments
  if (!secret_key) throw new Problem('payments.not_connected')
  const key = { secretKey: secret_key, apiBase: config.stripe.apiBase }
  const endpoint = await makeOwnEndpoint(services, key)
  if ('refused' in endpoint)
    throw new Problem('payments.webhook_refused', {
      detail: `Stripe does not report payments to this address. It says: ${endpoint.refused}`,
    })
  const { revision } = stored('payments')
  await storeEndpoint(services, actor, { key, endpoint, change: { revision, values: {} } })
}

type OwnEndpoint = (MadeEndpoint & { site: string }) | { refused: string }

/** Throws payments.unavailable. */
export async function makeOwnEndpoint({ settings }: Needs, key: Key): Promise<OwnEndpoint> {
  const { makeEndpoint } = await import('#platform/stripe/webhook-endpoints.ts')
  const { site_url: site } = settings.get().shop
  return { ...(await makeEndpoint(key, webhookAt(site))), site }
}

type StoredEndpoint = { key: Key; endpoint: OwnEndpoint; change: SettingsToSave }

/** Stores its secret with the change, and removes all others. Throws what saveSettings throws. */
export async function storeEndpoint(
  services: Needs,
  actor: Actor,
  { key, endpoint, change }: StoredEndpoint,
): Promise<void> {
  const made = 'refused' in endpoint ? undefined : endpoint
  const webhook = { webhook_secret: made?.secret ?? null, webhook_site: made?.site ?? null }
  const { webhook_site: former } = services.settings.get().payments
  try {
    const values = { ...change.values, ...webhook }
    await saveSettings(services, actor, 'payments', { ...change, values, isChecked: true })
  } catch (error) {
    // Its secret is stored nowhere.
    if (made) await removeEndpoint(services, key, made.id)
    throw error
  }
  await removeOwnEndpoints(services, key, { kept: made?.id, former })
}

/**
 * At the addresses that the shop has, or had; `former` may be one that the environment has set. A failure is only
 * logged: an endpoint too many does no harm.
 */
export async function removeOwnEndpoints(
  { settings, log }: Needs,
  key: Key,
  { kept, former }: { kept?: string | undefined; former: string | null },
): Promise<void> {
  const { site_url, former_site_urls } = settings.get().shop
  const urls = [site_url, ...former_site_urls, ...(former ? [former] : [])].map(webhookAt)
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
