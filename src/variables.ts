// The environment variables of the configuration, each with its schema.
import { z } from 'zod'
import { mailSettings, type MailSettings } from '#contract/mail/mail-settings.ts'
import { countries, stripeCountries } from '#contract/orders/countries.ts'
import { format } from '#contract/catalog/products.ts'
import { formats } from '#contract/catalog/formats.ts'
import {
  settingValues,
  isTimeZone,
  isWholeSite,
  usualTaxCodes,
  whyNotAdded,
} from '#contract/settings/settings.ts'
import { taxesInPrices } from '#contract/orders/prices.ts'
import { currencyCodes, stripeKey } from '#contract/stripe.ts'
import { email } from '#contract/fields.ts'
import { minPasswordLength, toStoredAddress } from '#contract/field-rules.ts'

const smtpAddress = z
  .url({ protocol: /^smtps?$/, error: 'must be an smtp:// or smtps:// address' })
  .refine((url) => !/%(?![\da-f]{2})/i.test(url), 'has a % that stands for itself: write %25')

const address = mailSettings.shape.from_address
const named = /^\s*"?([^"<>]*?)"?\s*<([^<>]+)>\s*$/

const mailSender = z.string().transform((text, check) => {
  const [, from_name = '', from_address = text] = named.exec(text) ?? []
  const parsed = address.safeParse(from_address)
  if (parsed.success && parsed.data) return { from_name, from_address: parsed.data }
  check.addIssue({ code: 'custom', message: 'must hold an email address' })
  return z.NEVER
})

export function mailServer(url: string | undefined): Partial<MailSettings> {
  if (!url) return {}
  const { protocol, hostname: host, port, username, password, searchParams } = new URL(url)
  const isOn = (name: string) => searchParams.get(name) === 'true'
  // nodemailer ignores `secure` in a URL.
  const isTls = protocol === 'smtps:'
  const unlessTls = isOn('requireTLS') ? 'starttls' : isOn('ignoreTLS') ? 'none' : 'opportunistic'
  return {
    host,
    port: Number(port) || (isTls ? 465 : 587),
    encryption: isTls ? 'tls' : unlessTls,
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
  }
}

const itemsOf = (value: string) => value.split(',').map((item) => item.trim())

function missingFrom(valid: ReadonlySet<string>, codes: readonly string[]): string {
  return codes.filter((code) => !valid.has(code)).join(', ')
}

const countryCodes = z
  .string()
  .regex(/^[A-Z]{2}( *, *[A-Z]{2})*$/, 'must be country codes, as US,CA,GB')
  .transform(itemsOf)
  .refine((codes) => missingFrom(countries, codes) === '', {
    error: ({ input }) =>
      `has codes of no country: ${missingFrom(countries, z.array(z.string()).parse(input))}`,
  })

const shipping = z.object({ SHIPPING_COUNTRIES: z.array(z.string()) })

export function unknownToStripe(settings: unknown): string {
  return missingFrom(stripeCountries, shipping.safeParse(settings).data?.SHIPPING_COUNTRIES ?? [])
}

const taxes = shipping.extend({ TAX_IN_PRICES: z.enum(taxesInPrices) })

/** Says why a tax cannot be added to prices where the environment has both; undefined else. */
export function refusesAddedTax(settings: unknown): string | undefined {
  const { TAX_IN_PRICES: in_prices, SHIPPING_COUNTRIES: served = [] } = taxes.safeParse(settings).data ?? {}
  return whyNotAdded({ in_prices }, served)
}

const prices = settingValues.shape.shipping.pick({ price: true, country_prices: true })

const shippingPrices = z.string().transform((value, check) => {
  const [price = '', ...exceptions] = itemsOf(value)
  const pairs = exceptions.map((item) => {
    const [code = '', ...amount] = item.split(':')
    return [code, readPrice(amount.join(':'))]
  })
  const country_prices = Object.fromEntries(pairs)
  const isTwice = Object.keys(country_prices).length < pairs.length
  const parsed = prices.safeParse({ price: readPrice(price), country_prices })
  if (parsed.success && !isTwice) return parsed.data
  const message =
    'must be the price of shipping, of at most two decimals, and those of single countries, each once, as 4.90,US:0,CA:12.50'
  check.addIssue({ code: 'custom', message })
  return z.NEVER
})

/** Number('') is 0, and Number('0x1') is 1. */
function readPrice(text: string): number {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
}

const taxCode = z.tuple([format, z.string().regex(/^txcd_\d{8}$/)])

const taxCodes = z.string().transform((value, check) => {
  const pairs = z.array(taxCode).safeParse(itemsOf(value).map((item) => item.split(':')))
  if (pairs.success) return { ...usualTaxCodes, ...Object.fromEntries(pairs.data) }
  const message = `must name formats (${formats.join(', ')}) and tax codes, as digital:txcd_10302000`
  check.addIssue({ code: 'custom', message })
  return z.NEVER
})

/** The address is in the form in which accounts have it. */
const adminAddress = z
  .string()
  .transform(toStoredAddress)
  .refine((value) => email.safeParse(value).success, 'must be an email address')

const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())

function wholeNumber({ min, max, error }: { min: number; max: number; error: string }) {
  return optional(z.coerce.number({ error }).int({ error }).min(min, { error }).max(max, { error }))
}

const onOff = z.enum(['on', 'off']).transform((value) => value === 'on')
const webAddress = z.url({ protocol: /^https?$/, error: 'must be an http(s) address' })

const storageAddress = z
  .url({ protocol: /^(file|s3)$/, error: 'must begin with file: or s3:' })
  .refine((address) => !address.startsWith('s3:') || isBucketAddress(address), {
    error: 'must have an http(s) address as its endpoint and seconds as its timeout, where it has them',
  })

const siteAddress = webAddress.refine((address) => !URL.canParse(address) || isWholeSite(new URL(address)), {
  error: 'must end with its host, as https://books.example: the shop is a site, not a folder of one',
})

/** `.env.example` and the README describe each variable for people. */
export const variables = z.object({
  NODE_ENV: optional(z.string()),
  PORT: wholeNumber({
    min: 0,
    max: 65_535,
    error: 'must be a whole number from 0 to 65535, as 3000: the port that the shop listens on',
  }).default(3000),
  HOST: optional(z.string()),
  SITE_URL: optional(siteAddress),
  TIME_ZONE: optional(
    z.string().refine((zone) => isTimeZone(zone), 'must be the name of a time zone, as America/New_York'),
  ),
  CURRENCY: optional(
    z
      .string()
      .toLowerCase()
      .pipe(z.enum(currencyCodes, `must be one of ${currencyCodes.join(', ').toUpperCase()}`)),
  ),
  GUEST_CHECKOUT: optional(onOff),
  DATA_DIR: optional(z.string()).default('./data'),
  DATABASE_URL: optional(z.string().refine(isDatabaseAddress, 'must be a postgres:// address')),
  STORAGE_URL: optional(storageAddress),
  BACKUP_URL: optional(storageAddress),
  BACKUP_PASSPHRASE: optional(z.string().min(12, 'must have at least 12 characters')),
  BACKUP_PING_URL: optional(webAddress),
  BACKUP_PRIVATE_HOSTS: optional(onOff).default(false),
  SMTP_URL: optional(smtpAddress),
  SMTP_PRIVATE_HOSTS: optional(onOff).default(false),
  WEBHOOK_PRIVATE_HOSTS: optional(onOff).default(false),
  MAIL_FROM: optional(mailSender),
  ADMIN_EMAIL: optional(adminAddress),
  ADMIN_PASSWORD: optional(
    z.string().min(minPasswordLength, `must have at least ${minPasswordLength} characters`),
  ),
  CONTACT_FORM_URL: optional(webAddress),
  AUTH_SECRET: optional(z.string().min(32, 'must have at least 32 characters')),
  OLD_AUTH_SECRET: optional(z.string()),
  /** A shop that ever had one sells nothing without it. */
  STRIPE_SECRET_KEY: optional(stripeKey),
  STRIPE_WEBHOOK_SECRET: optional(z.string().startsWith('whsec_', 'must begin with whsec_')),
  /** Another address than Stripe's own, for tests. */
  STRIPE_API_BASE: optional(webAddress),
  STRIPE_TAX: optional(onOff),
  TAX_IN_PRICES: optional(z.enum(taxesInPrices, `must be one of ${taxesInPrices.join(', ')}`)),
  STRIPE_TAX_CODES: optional(taxCodes),
  STRIPE_TAX_IDS: optional(onOff),
  STRIPE_INVOICES: optional(onOff),
  STRIPE_CONCURRENCY: wholeNumber({ min: 1, max: 50, error: 'must be a whole number from 1 to 50' }).default(
    4,
  ),
  /**
   * The shop asks Stripe so often about payments without a webhook event; it waits five intervals before the first
   * time.
   */
  STRIPE_RECONCILE_SECONDS: wholeNumber({
    min: 1,
    max: 3600,
    error: 'must be a whole number of seconds, from 1 to 3600',
  }).default(60),
  SHIPPING_COUNTRIES: optional(countryCodes),
  SHIPPING_PRICES: optional(shippingPrices),
  ASK_ADDRESS: optional(onOff),
  TRUST_PROXY: wholeNumber({ min: 0, max: 10, error: 'must be a whole number from 0 to 10' }).default(0),
  /** Longer than a load balancer takes to notice. */
  DRAIN_SECONDS: optional(
    z.coerce.number('must be a number of seconds, from 0 to 300').min(0).max(300),
  ).default(0),
  RATE_LIMIT: optional(onOff).default(true),
  UPLOAD_MAX_BYTES: wholeNumber({
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    error: 'must be a whole number of bytes',
  }).default(500 * 1024 * 1024),
  METRICS_TOKEN: optional(z.string().min(32, 'must have at least 32 characters')),
  /** Unset: `info`, and in a terminal, where the addresses are printed instead, `warn`. */
  LOG_LEVEL: optional(z.enum(['debug', 'info', 'warn', 'error', 'silent'])),
})

function isDatabaseAddress(url: string): boolean {
  return splitHosts(url) !== undefined
}

const bucketSettings = z.object({
  region: z.string().default('us-east-1'),
  endpoint: z.url({ protocol: /^https?$/ }).optional(),
  timeout: z.coerce.number().positive().default(15),
})

const bucketSettingsIn = ({ searchParams }: URL): unknown => Object.fromEntries(searchParams)

export const readBucketSettings = (address: URL) => bucketSettings.parse(bucketSettingsIn(address))

function isBucketAddress(address: string): boolean {
  return URL.canParse(address) && bucketSettings.safeParse(bucketSettingsIn(new URL(address))).success
}

const databaseAddress = /^(postgres(?:ql)?:\/\/(?:[^/?]*@)?)([^/?@]*)(\/[^?]*)?(?:\?(.*))?$/
const targets: ReadonlySet<string> = new Set(['read-write', 'primary'])

/** One address for each host; undefined where the address is none of a PostgreSQL that accepts writes. */
export function splitHosts(url: string): [string, ...string[]] | undefined {
  const [, start, hosts = '', path = '', query] = databaseAddress.exec(url) ?? []
  if (!start) return undefined
  const parameters = new URLSearchParams(query)
  if (!targets.has(parameters.get('target_session_attrs') ?? 'read-write')) return undefined
  parameters.delete('target_session_attrs')
  const rest = parameters.size > 0 ? `${path}?${parameters}` : path
  const [first = '', ...others] = hosts.split(',').map((host) => `${start}${host}${rest}`)
  return [first, ...others].every((each) => URL.canParse(each)) ? [first, ...others] : undefined
}
