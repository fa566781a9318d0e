import { unconfirmedCopyOf } from '#platform/stripe/payment-keys.ts'
import { operationProblem } from './problem.ts'
import type { Services } from '#platform/services.ts'
import type { Actor } from '#platform/audit-log.ts'
import { saveSettings, type SettingsToSave } from './save-settings.ts'
import { mergeSettings, readSettings } from '#platform/stored-settings.ts'

export type Key = { secretKey: string; apiBase: string | undefined }

export const webhookAt = (address: string) => `${address}/api/stripe/webhook`

export async function moveWebhook(services: Services, actor: Actor) {
  const { db, config, secrets } = services
  if (config.overrides.payments.secret_key) throw operationProblem('settings.fixed')
  const stored = await readSettings(db, secrets)
  const { secret_key } = mergeSettings(config, stored).payments
  if (!secret_key) throw operationProblem('payments.not_connected')
  const key = { secretKey: secret_key, apiBase: config.stripe.apiBase }
  const endpoint = await makeOwnEndpoint(services, key)
  if ('refused' in endpoint)
    throw operationProblem('payments.webhook_refused', {
      detail: `Stripe does not report payments to this address. It says: ${endpoint.refused}`,
    })
  const { revision } = stored('payments')
  await saveEndpoint(services, actor, { key, endpoint, change: { revision, values: {} } })
}

type OwnEndpoint = Awaited<ReturnType<typeof makeOwnEndpoint>>

export async function makeOwnEndpoint({ settings }: Services, key: Key) {
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

export async function saveEndpoint(
  services: Services,
  actor: Actor,
  { key, endpoint, change }: StoredEndpoint,
) {
  const made = 'refused' in endpoint ? undefined : endpoint
  const webhook = { webhook_secret: made?.secret ?? null, webhook_site: made?.site ?? null }
  try {
    const values = { ...change.values, ...webhook }
    await saveSettings(services, actor, 'payments', { ...change, values, isChecked: true })
  } catch (error) {
    // Its secret is stored nowhere.
    if (made) await remove(services, key, [made.id])
    throw error
  }
  await remove(services, key, endpoint.others)
}

export async function removeOwnEndpoints(services: Services, key: Key, endpoint_site: string | null) {
  const { listEndpoints } = await import('#platform/stripe/account.ts')
  const { shop } = services.settings.get()
  const urls = [webhookAt(shop.site_url), ...formerWebhooks(services.settings, endpoint_site)]
  await remove(services, key, listEndpoints(key, urls))
}

/** A failure is only logged: an endpoint too many does no harm. */
async function remove({ log }: Services, key: Key, ids: readonly string[] | Promise<string[]>) {
  try {
    const { removeEndpoints } = await import('#platform/stripe/account.ts')
    await removeEndpoints(key, await ids)
  } catch (err) {
    log.warn({ err }, 'webhook endpoints that are not used any more could not be removed at Stripe')
  }
}
