// Sends no mail and changes nothing at Stripe.
import { explainRefusal } from '#domains/mail/mail-setup.ts'
import { webhookAt } from '#domains/operations/payment-setup.ts'
import { logInToMailServer } from '#platform/mail.ts'
import type { Settings } from '#platform/settings.ts'
import { paymentKeys } from '#platform/stripe/payment-keys.ts'
import type { Config } from '../../config.ts'
import { ok, unknown, warn, wrong, type Verdict } from './finding.ts'

type Dependencies = { config: Config; settings: Pick<Settings, 'get'> }

export async function checkMail(dependencies: Dependencies): Promise<Verdict> {
  try {
    if (await logInToMailServer(dependencies)) return ok('the mail server accepts the shop’s login')
    return warn(
      'no mail server is set, so mails stay in DATA_DIR/outbox',
      'Enter one under Settings, Mail, or set SMTP_URL.',
    )
  } catch (error) {
    const { answer, advice } = explainRefusal(error)
    return wrong(`the mail server refuses: ${answer}`, advice)
  }
}

function findKey({ config, settings }: Dependencies) {
  const keys = paymentKeys(settings)
  return keys && { secretKey: keys.secretKey, apiBase: config.stripe.apiBase }
}

export async function checkPayments(dependencies: Dependencies): Promise<Verdict> {
  const key = findKey(dependencies)
  if (!key && dependencies.settings.get().payments.account)
    return wrong(
      'Stripe’s key cannot be read with this AUTH_SECRET',
      'Enter it again under Settings, Payments.',
    )
  if (!key) return warn('no payments are taken', 'Connect Stripe under Settings, Payments.')
  const { inspectKey } = await import('#platform/stripe/account.ts')
  const report = await inspectKey(key)
  if ('refused' in report) return wrong(`Stripe refuses the key: ${report.refused}`, 'Enter another key.')
  if ('missing' in report)
    return wrong(`the key lacks permissions: ${report.missing.join(', ')}`, 'Add them in Stripe’s dashboard.')
  if (!report.takesPayments)
    return wrong(
      `${report.account.name} takes no payments yet`,
      'Complete the account in Stripe’s dashboard.',
    )
  const says = `Stripe takes payments for ${report.account.name}`
  if (paymentKeys(dependencies.settings)?.isLive) return ok(says)
  return warn(`${says}, on test keys: no money is taken`, 'Enter a live key when you open the shop.')
}

/** A lost event only delays a purchase: the shop also asks Stripe by itself. */
export async function checkWebhook(dependencies: Dependencies): Promise<Verdict> {
  const key = findKey(dependencies)
  const { shop, payments } = dependencies.settings.get()
  if (!key) return ok('none is needed')
  const { readEndpoints } = await import('#platform/stripe/account.ts')
  const url = webhookAt(shop.site_url)
  const endpoints = await readEndpoints(key, url)
  if (!endpoints)
    return unknown(
      'the key may not read webhook endpoints',
      'Compare them in Stripe’s dashboard with docs/operations.md.',
    )
  const [best] = endpoints.toSorted((a, b) => rank(a) - rank(b))
  const later = 'Until then payments are noticed minutes later.'
  if (!best)
    return warn(`Stripe has none for ${url}`, `Move it under Settings, Payments, or add it there. ${later}`)
  if (!best.isEnabled)
    return warn(`Stripe has disabled the one for ${url}`, `Enable it in Stripe’s dashboard. ${later}`)
  if (best.missingEvents.length > 0)
    return warn(`the one for ${url} lacks ${best.missingEvents.join(', ')}`, `Add these events. ${later}`)
  if (!payments.webhook_secret)
    return warn('its signing secret is not set', `Set STRIPE_WEBHOOK_SECRET, or move the webhook. ${later}`)
  return ok(`Stripe reports payments to ${url}`)
}

type Endpoint = { isEnabled: boolean; missingEvents: string[] }

const rank = ({ isEnabled, missingEvents }: Endpoint) => (isEnabled ? 0 : 100) + missingEvents.length
