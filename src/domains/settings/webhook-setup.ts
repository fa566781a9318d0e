// The webhook's address and secret: checked, made and sealed. The address is a secret, too, so the host alone is shown.
import type { ChangedWebhook, Webhook } from '#contract/mail/webhook.ts'
import { dropDeliveries, formerSecretEnd, webhookStateOf } from '#domains/mail/webhook-deliveries.ts'
import type { Actor } from '#platform/audit-log.ts'
import type { Transaction } from '#platform/db/client.ts'
import { platformProblem } from '#platform/problem.ts'
import { PrivateHostError, requirePublicHost, scopeOf } from '#platform/public-connection.ts'
import { readSettings } from '#platform/stored-settings.ts'
import { newWebhookSecret } from '#platform/webhook.ts'
import type { SettingValues } from '../../config.ts'
import { saveSettings } from './settings.ts'
import { settingsProblem, type SettingsShop } from './shop.ts'
import { sendWebhookNotice, type WebhookNotice } from './webhook-notices.ts'

export async function describeWebhook(services: SettingsShop): Promise<Webhook> {
  const { db, secret, settings } = services
  const { changed_at, changed_by } = (await readSettings(db, secret))('webhook')
  return {
    state: webhookStateOf(settings),
    host: settings.get().webhook.host,
    changed_at: changed_at?.toISOString() ?? null,
    changed_by,
    former_secret_until: formerSecretEnd(services)?.toISOString() ?? null,
  }
}

/** Without an address, the stored one is switched on again, with its secret. */
export async function setWebhook(
  services: SettingsShop,
  actor: Actor,
  url: string | undefined,
): Promise<ChangedWebhook> {
  const { webhook } = services.settings.get()
  if (url === undefined) {
    if (!webhook.url || !webhook.signing_secret) throw refuse('Please enter the address.')
    await save(services, actor, 'set', { switched_off: null })
    return { ...(await describeWebhook(services)), signing_secret: null }
  }
  const address = await checkAddress(services.settings.get(), url)
  // The receiver before knows the secret before.
  const signing_secret = newWebhookSecret()
  const values = {
    url: address.href,
    host: address.host,
    signing_secret,
    former_secret: null,
    renewed_at: null,
    switched_off: null,
  }
  await save(services, actor, 'set', values, async (tx, before) => {
    // What waits is not for another receiver; a corrected path at the same host gets it.
    if (before.webhook.host !== address.host) await dropDeliveries(tx, services.clock())
  })
  return { ...(await describeWebhook(services)), signing_secret }
}

/** Both secrets sign for a day. Throws webhook.none. */
export async function renewWebhookSecret(services: SettingsShop, actor: Actor): Promise<ChangedWebhook> {
  const { signing_secret: former_secret } = services.settings.get().webhook
  if (!former_secret) throw settingsProblem('webhook.none')
  const signing_secret = newWebhookSecret()
  const renewed_at = services.clock().toISOString()
  await save(services, actor, 'secret', { signing_secret, former_secret, renewed_at })
  return { ...(await describeWebhook(services)), signing_secret }
}

/** What waits is not sent any more. */
export async function removeWebhook(services: SettingsShop, actor: Actor): Promise<Webhook> {
  await save(
    services,
    actor,
    'removed',
    { url: null, host: '', signing_secret: null, former_secret: null, renewed_at: null, switched_off: null },
    (tx) => dropDeliveries(tx, services.clock()),
  )
  return describeWebhook(services)
}

async function save(
  services: SettingsShop,
  actor: Actor,
  notice: WebhookNotice,
  values: Record<string, string | null>,
  andThen?: (tx: Transaction, before: SettingValues) => Promise<void>,
): Promise<void> {
  const { db, secret } = services
  const { revision } = (await readSettings(db, secret))('webhook')
  const within = async (tx: Transaction, before: SettingValues) => {
    const host = values['host'] || before.webhook.host
    await sendWebhookNotice(tx, services, { notice, admin: actor.email, host })
    await andThen?.(tx, before)
  }
  await saveSettings(services, actor, 'webhook', { revision, values, isChecked: true, within })
}

const refuse = (url: string) => platformProblem('request.invalid', { fields: { url } })

const ofOwnNetwork =
  'This is the shop’s own machine, or its network. A receiver there may be entered with WEBHOOK_PRIVATE_HOSTS=on, where the shop is started.'

async function checkAddress({ shop, webhook }: SettingValues, text: string): Promise<URL> {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url) throw refuse('Please enter the whole address, as the receiver shows it. It begins with https://.')
  if (url.protocol !== 'https:')
    throw refuse('The address must begin with https://: others could read along.')
  if (url.username || url.password) throw refuse('Please enter an address without a name and a password.')
  // A receiver on the shop's own machine has another port.
  const partOf = webhook.is_public_only ? hostOf : ({ host }: URL) => host
  const own = [shop.site_url, ...shop.former_site_urls].map((site) => partOf(new URL(site)))
  if (own.includes(partOf(url))) throw refuse('This is the address of the shop itself.')
  url.hash = ''
  if (!webhook.is_public_only) return url
  if (url.port !== '') throw refuse('Please enter an address without a port.')
  if (scopeOf(url.origin) !== 'internet') throw refuse(ofOwnNetwork)
  await requirePublicHost(hostOf(url)).catch((error: unknown) => {
    throw refuse(
      error instanceof PrivateHostError
        ? ofOwnNetwork
        : `The shop finds no server called ${url.hostname}. Look for a typing mistake.`,
    )
  })
  return url
}

const hostOf = ({ hostname }: URL) => hostname.replace(/\.$/, '').replace(/^\[(.+)\]$/, '$1')
