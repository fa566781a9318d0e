// Writes to the log at the start where the shop is, how it is set up, and how the first admin account is made.
import type { SaleMode } from '#contract/catalog/products.ts'
import { currentSaleMode } from '#domains/catalog/sale-mode.ts'
import { createSetupLink, hasAdmin } from '#domains/setup/first-admin.ts'
import { type Config, describeMisspelt } from './config.ts'
import type { Shop } from './shop.ts'

type Warned = { config: Config; payments: Pick<Shop['payments'], 'mode'>; saleMode: SaleMode }

type Opening = Warned & {
  siteUrl: string
  mailsAreKept: boolean
  setupLink: string | undefined
}

/** The shop sells already, so a failure is only logged. */
export async function announceOpening(shop: Shop): Promise<void> {
  await announce(shop).catch((err: unknown) =>
    shop.log.warn({ err }, 'the shop is open, but its opening could not be announced'),
  )
}

async function announce(shop: Shop): Promise<void> {
  const { config, db, log, mail, settings } = shop
  const { site_url: siteUrl } = settings.get().shop
  const saleMode = await currentSaleMode(shop)
  if (config.isTerminal) {
    const setupLink = (await hasAdmin(db)) ? undefined : createSetupLink(shop)
    console.log(describeOpening({ ...shop, saleMode, siteUrl, mailsAreKept: !mail.sendsMail(), setupLink }))
    return
  }
  log.info(`The shop is open at ${siteUrl}`)
  if (!(await hasAdmin(db))) log.warn(noAdmin)
  for (const warning of findWarnings({ ...shop, saleMode })) log.warn(warning)
}

/** A link that makes one stands in no log. */
const noAdmin =
  'There is no admin yet: "lectern admin setup-link" prints a link that makes one, and so does a start in a terminal'

export function describeOpening({
  config,
  payments,
  saleMode,
  siteUrl,
  mailsAreKept,
  setupLink,
}: Opening): string {
  const lines = [
    ['Shop', siteUrl],
    ['Admin area', `${siteUrl}/admin`],
    ...(mailsAreKept ? [['Unsent mails', `${siteUrl}/admin/mails`]] : []),
    ...(setupLink ? [['Set it up', setupLink]] : []),
  ]
  const addresses = lines.map(([name = '', value]) => `  ${name.padEnd(14)}${value}`).join('\n')
  const advice = [
    ...(setupLink ? ['The link makes your admin account. It works once, and for 24 hours.'] : []),
    ...findWarnings({ config, payments, saleMode }),
    'Ctrl-C closes the shop.',
  ]
  return `\nLectern is open.\n\n${addresses}\n\n${advice.map((line) => `  ${line}`).join('\n')}\n`
}

function findWarnings({ config, payments, saleMode }: Warned): string[] {
  const warnings = config.misspelt.map(describeMisspelt)
  if (!config.hasRateLimits) warnings.push('RATE_LIMIT is off: nothing slows an attacker down')
  if (isMailReadable(config)) {
    warnings.push(
      'SMTP_URL begins with smtp://: mails and the password may travel unencrypted. Use smtps://, or add ?requireTLS=true',
    )
  }
  const sale =
    payments.mode() === 'test' ? 'Payments run on test keys: no money is taken' : saleWarnings[saleMode]
  return sale ? [...warnings, sale] : warnings
}

const saleWarnings: Record<SaleMode, string | undefined> = {
  paid: undefined,
  sample: 'No payment provider is set: purchases complete without any money being taken',
  free: 'The book is free for everybody: purchases complete without any money being taken',
  not_for_sale: 'No payment provider is set: nothing is for sale',
  key_missing:
    'STRIPE_SECRET_KEY is not set, and this shop has had a key of Stripe before: nothing is for sale. Set it again, here or under Settings, Payments',
}

/** nodemailer encrypts on smtp:// only if the server offers STARTTLS, which an attacker can remove. */
export function isMailReadable({ smtpUrl }: Pick<Config, 'smtpUrl'>): boolean {
  if (!smtpUrl?.startsWith('smtp:')) return false
  const { hostname, searchParams } = new URL(smtpUrl)
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
  return !isHere && searchParams.get('requireTLS') !== 'true'
}
