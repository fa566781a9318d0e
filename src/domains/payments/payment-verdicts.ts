// The verdicts on the facts of payments, be they asked for now (payment-checks.ts) or stored (faults.ts).
import { unknown, ok, warn, wrong, type Verdict } from '#contract/checks.ts'
import type { SaleMode } from '#contract/catalog/products.ts'
import type { Services } from '#platform/services.ts'
import type { KeyReport } from '#platform/stripe/account.ts'
import {
  formerWebhookSite,
  pageAtStripe,
  paymentKeys,
  paymentMode,
  unconfirmedCopyOf,
} from '#platform/stripe/payments.ts'

type ReadSettings = Pick<Services['settings'], 'get'>

const atStripe = (settings: ReadSettings, path: string) =>
  pageAtStripe(paymentMode(settings) === 'live', path)

const actions = [{ label: 'Set up payments', to: '/admin/settings/payments' }]
const noPayment = { effect: 'nobody can pay', actions }
const noSale = { effect: 'nobody can buy', actions }

const withoutKey: Record<Exclude<SaleMode, 'paid'>, Verdict> = {
  free: ok(
    'there is nothing to pay, as the book is free for everybody',
    'Your prices apply once Stripe is connected.',
  ),
  sample: warn(
    'no money is taken: without Stripe every purchase completes at once',
    'Paste your Stripe key under Settings, Payments: the test key first, then the live one.',
    { actions },
  ),
  not_for_sale: warn(
    'payments are not set up, so the cards say “Available soon” and nobody can buy',
    'Connect Stripe under Settings, Payments, or give the book away for free.',
    noSale,
  ),
  key_missing: warn(
    'the shop had a Stripe key once and has none now, so nothing is for sale',
    'Paste the key under Settings, Payments, or set STRIPE_SECRET_KEY again where the shop is started.',
    noSale,
  ),
}

/** Judges payments by the settings alone. */
export function storedPaymentsVerdict(settings: ReadSettings, mode: SaleMode): Verdict {
  if (mode !== 'paid') return withoutKey[mode]
  const keys = paymentKeys(settings)
  if (!keys)
    return wrong(
      'the stored Stripe key cannot be opened with the shop’s secret, so nobody can pay',
      'Paste the key again under Settings, Payments.',
      noPayment,
    )
  return copyVerdict(settings) ?? accountVerdict(keys.isLive, settings.get().payments.account?.name)
}

function accountVerdict(isLive: boolean, name: string | undefined): Verdict {
  if (isLive) return ok(`Stripe takes payments for ${name ?? 'the shop'}, and buyers pay real money`)
  return warn(
    `the shop has a test key of Stripe${name ? ` for ${name}` : ''}, so no card is charged`,
    'Once a test order has worked, set the live key: Settings, Payments says how.',
    { effect: 'no real money is taken', actions },
  )
}

/** `report` is undefined where Stripe did not answer. */
export function keyVerdict(settings: ReadSettings, report: KeyReport | undefined): Verdict {
  const toKeys = { label: 'The keys at Stripe', to: atStripe(settings, 'apikeys') }
  if (!report)
    return wrong(
      'Stripe did not answer, so perhaps nobody can pay',
      'Look whether this machine reaches api.stripe.com.',
      { effect: 'perhaps nobody can pay', actions },
    )
  if ('refused' in report)
    return wrong(
      'Stripe does not accept the shop’s key, so nobody can pay',
      'Make a new key at Stripe, and paste it under Settings, Payments. A key that the environment of the shop sets is replaced there (STRIPE_SECRET_KEY).',
      { ...noPayment, answer: report.refused, actions: [...actions, toKeys] },
    )
  if ('missing' in report)
    return wrong(
      `the Stripe key lacks permissions: ${report.missing.join(', ')}`,
      'Give the key these permissions at Stripe.',
      { ...noPayment, actions: [...actions, toKeys] },
    )
  const isLive = paymentMode(settings) === 'live'
  const { account, takesPayments } = report
  if (!isLive || takesPayments) return accountVerdict(isLive, account.name)
  return wrong(
    `Stripe takes no payments for ${account.name} yet, so nobody can pay`,
    'Finish the activation of the account at Stripe.',
    { ...noPayment, actions: [...actions, { label: 'The account at Stripe', to: atStripe(settings, '') }] },
  )
}

/** Judges a copy after a move or a restore (docs/decisions/0025); undefined where the data are those of this shop. */
export function copyVerdict(settings: ReadSettings): Verdict | undefined {
  const former = unconfirmedCopyOf(settings)
  const { site_url } = settings.get().shop
  if (former === undefined) return undefined
  return wrong(
    'this copy of the shop takes no payments',
    `This is the data of the shop at ${former}, and it runs at ${site_url} now. Until an admin has confirmed under Needs attention that this is the shop now, nobody can pay here, no payment is settled, refunded or looked up, and the webhook sends nothing. If this copy is only for trying things out, leave it as it is, or replace the live Stripe key with a test key first.`,
    { ...noPayment, actions: [{ label: 'Answer', to: '/admin/payments' }] },
  )
}

type Trial = { name: string; refused?: string }

export function checkoutsVerdict(trials: readonly Trial[]): Verdict {
  const refused = trials.filter((each) => each.refused !== undefined)
  if (refused.length > 0)
    return wrong(
      `Stripe does not sell ${namesOf(refused)}`,
      'Change what Stripe complains about, in the admin area or at Stripe; buyers are told to write to you.',
      { answer: [...new Set(refused.map((each) => each.refused))].join(' · ') },
    )
  if (trials.length === 0) return ok('nothing that costs money is for sale')
  return ok(`Stripe opens the page to pay for ${namesOf(trials)}`)
}

const namesOf = (trials: readonly Trial[]) => trials.map(({ name }) => name).join(', ')

type Endpoint = { isEnabled: boolean; missingEvents: readonly string[] }

const late = 'Until then the shop may hear of payments minutes later.'

/** Undefined where the stored endpoint is that of the shop's address. */
export function formerWebhookVerdict(settings: ReadSettings): Verdict | undefined {
  const former = unconfirmedCopyOf(settings) ? undefined : formerWebhookSite(settings)
  if (former === undefined) return undefined
  return warn(
    `Stripe still reports to the shop’s former address, ${former}`,
    `Move the webhook to ${settings.get().shop.site_url} under Settings, Payments. ${late}`,
    { actions },
  )
}

export function webhookVerdict(
  url: string,
  secret: string | null | undefined,
  endpoints: readonly Endpoint[] | undefined,
): Verdict {
  if (!endpoints)
    return unknown(
      'the key may not read webhook endpoints',
      'Compare them in Stripe’s dashboard with docs/operations.md.',
    )
  const [best] = endpoints.toSorted((a, b) => rank(a) - rank(b))
  if (!best)
    return warn(
      `Stripe has none for ${url}`,
      `Move it under Settings, Payments, or add it at Stripe. ${late}`,
      { actions },
    )
  if (!best.isEnabled)
    return warn(`Stripe has disabled the one for ${url}`, `Enable it in Stripe’s dashboard. ${late}`)
  if (best.missingEvents.length > 0)
    return warn(`the one for ${url} lacks ${best.missingEvents.join(', ')}`, `Add these events. ${late}`)
  if (!secret)
    return warn('its signing secret is not set', `Set STRIPE_WEBHOOK_SECRET, or move the webhook. ${late}`, {
      actions,
    })
  return ok(`Stripe reports payments to ${url}`)
}

const rank = ({ isEnabled, missingEvents }: Endpoint) => (isEnabled ? 0 : 100) + missingEvents.length

type StoredFault = {
  kind: 'key' | 'permission' | 'product' | 'tax'
  about: string | null
  product: { id: string; name: string } | null
  words: string
}

export function faultVerdict(settings: ReadSettings, { kind, about, product, words }: StoredFault): Verdict {
  if (kind === 'key') return keyVerdict(settings, { refused: words })
  if (kind === 'permission') return { ...keyVerdict(settings, { missing: [about ?? ''] }), answer: words }
  if (kind === 'tax')
    return wrong(
      'Stripe Tax is not set up, so nobody can pay',
      'Stripe still wants to know this. Set it up at Stripe, or turn it off under Settings, Tax.',
      {
        answer: words,
        actions: [
          { label: 'Tax settings', to: '/admin/settings/tax' },
          { label: 'Stripe Tax at Stripe', to: atStripe(settings, 'settings/tax') },
        ],
      },
    )
  const verdict = checkoutsVerdict([{ name: product?.name ?? 'a product', refused: words }])
  return product ? { ...verdict, actions: [openProduct(product.id)] } : verdict
}

/** Judges a price that was set while the shop had no key, or another currency. */
export function priceVerdict({ id, name }: { id: string; name: string }, limits: string): Verdict {
  return wrong(
    `nobody can pay the price of ${name}`,
    `${limits} Change the price; buyers are told to write to you.`,
    { actions: [openProduct(id)] },
  )
}

const openProduct = (id: string) => ({ label: 'Open the product', to: `/admin/products/${id}` })
