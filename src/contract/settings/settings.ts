// The settings that can change while the shop runs, by group. A group's fields have these names in the database, on the
// wire and on the screen. docs/architecture.md, "How to add", says how a group is added.
import { z } from 'zod'
import { timestamp, id, wholeCents } from '../fields.ts'
import { saleMode, withoutKey } from '../catalog/products.ts'
import type { Format } from '../catalog/formats.ts'
import { currency, stripeKey } from '../stripe.ts'
import { lettersSettings } from '../mail/letters.ts'
import { mailSettings } from '../mail/mail-settings.ts'
import { webhookSettings } from '../mail/webhook.ts'
import { countries } from '../orders/countries.ts'
import { euCountries } from '../orders/lawful-countries.ts'
import { countryName } from '../orders/postal.ts'
import { taxesInPrices, type TaxTerms } from '../orders/prices.ts'
import { sellers } from '../orders/seller.ts'
import { noticeFiles, noticeLanguages } from '../orders/eu-paper.ts'
import { picture } from '../files/pictures.ts'
import { backupSettings } from '../backup/second-place.ts'
import { authorEmailSettings } from './author-emails.ts'

const taxCode = z.string().regex(/^txcd_\d{8}$/, 'This must be a code of Stripe, as txcd_10302000.')

const formatTaxCodes = z.object({
  digital: taxCode,
  paperback: taxCode,
  hardcover: taxCode,
  bundle: taxCode,
} satisfies Record<Format, typeof taxCode>)

/**
 * The codes are of Stripe's list (docs.stripe.com/tax/tax-codes): "Digital Books - downloaded - non subscription - with
 * permanent rights", and "Books". A bundle holds paper, mostly.
 */
export const usualTaxCodes: z.infer<typeof formatTaxCodes> = {
  digital: 'txcd_10302000',
  paperback: 'txcd_35010000',
  hardcover: 'txcd_35010000',
  bundle: 'txcd_35010000',
}

export function isWholeSite({ href, origin }: URL): boolean {
  return href === `${origin}/`
}

/**
 * A name that JavaScript and PostgreSQL read alike: of an offset as +02:00, PostgreSQL takes the opposite sign, and an
 * abbreviation is another zone to it (IST), or one without daylight saving time (CET).
 */
export function isTimeZone(zone: string): boolean {
  if (!/^[a-z]/i.test(zone) || /^(?!UTC$|GMT$)[a-z]{3,4}$/i.test(zone)) return false
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }))
  } catch {
    return false
  }
}

const siteUrl = z
  .url({ protocol: /^https?$/, error: 'Please enter an address, as https://books.example.' })
  .max(200, 'This address is too long.')
  .refine((address) => !URL.canParse(address) || isWholeSite(new URL(address)), {
    error: 'Please leave out what follows the host: the shop is a site, not a folder of one.',
  })
  .transform((address) => new URL(address).origin)

const shop = z.object({
  site_url: siteUrl,
  /** The addresses that the shop had before: checkouts that were opened there lead back to them. */
  former_site_urls: z.array(siteUrl),
  /** Each checkout has it in its metadata, which say by it which shop opened it; null until the first start. */
  id: z.uuid().nullable(),
  /** The shop took payments last at this address. At another one it is a copy until an admin has confirmed it. */
  confirmed_site_url: siteUrl.nullable(),
  /** The first time that the home page was opened from another network, and its address then; null before. */
  reached: z.object({ site_url: siteUrl, at: timestamp }).nullable(),
  /** IANA name: decides when a day begins. */
  time_zone: z.string().max(100).refine(isTimeZone, 'Please choose a time zone of the list.'),
  currency,
  /** Visitors buy an own book whose payments are set up with an address only. The sample's shop never sells so. */
  has_guest_checkout: z.boolean(),
  /** An admin without a second factor is refused in the admin area, and adds one on the account page. */
  admins_need_factor: z.boolean(),
})

const countryCode = z.string().refine((code) => countries.has(code), 'This is the code of no country.')

/** Amounts are in the shop's currency; the limit is against a lost decimal point. */
const parcelPrice = wholeCents.max(9_999.99, 'Please enter at most 9,999.99.')

/** Days from the order, or the day of a pre-order, until the book is there. Null: the author has not said it. */
const workingDays = z
  .number('Please enter a number.')
  .int('Whole days only.')
  .min(1, 'Please enter at least 1 day.')
  .max(120, 'Please enter at most 120 days.')
  .nullable()

const notice = picture.extend({ file: z.enum(noticeFiles) })

const shipping = z.object({
  /** Books on paper are sent to these: ISO 3166 codes, in the author's order. */
  countries: z
    .array(countryCode)
    .min(1, 'Please choose at least one country.')
    .refine((codes) => new Set(codes).size === codes.length, 'A country is there twice.'),
  /** An address must come with each purchase of a book on paper where no payments are taken. */
  asks_address: z.boolean(),
  price: parcelPrice,
  /** Exceptions; one for a country that is not served is kept, and has no effect. */
  country_prices: z.record(countryCode, parcelPrice),
  delivery_days_min: workingDays,
  delivery_days_max: workingDays,
  /** The notice on the legal guarantee, by its language. */
  notices: z.partialRecord(z.enum(noticeLanguages), notice),
})

const tax = z.object({
  has_tax: z.boolean(),
  /** The rule for books and for shipping. Undefined until the author has chosen. */
  in_prices: z.enum(taxesInPrices).optional(),
  /** Sells files; paper, bundles and pre-orders stay the author's. */
  digital_seller: z.enum(sellers),
  tax_codes: formatTaxCodes,
  has_tax_ids: z.boolean(),
  has_invoices: z.boolean(),
})

export const noTaxWithLink =
  'Link works out tax of what it sells, so say whether it is in the prices or added to them.'

export const noTaxWithStripe = 'Stripe works out tax, so say whether it is in the prices or added to them.'

/** Returns why tax cannot be added: consumers there are shown what they pay, taxes included (Directive 98/6, articles 2 and 3). */
export function whyNotAdded({ in_prices }: Pick<TaxTerms, 'in_prices'>, served: readonly string[]) {
  const places = in_prices === 'added' ? served.filter((code) => euCountries.includes(code)) : []
  if (places.length === 0) return undefined
  return `Buyers in ${places.map(countryName).join(', ')} must be shown prices with the tax in them.`
}

const payments = z.object({
  /** Stripe's, secret or restricted; undefined where no money is taken. */
  secret_key: stripeKey.optional(),
  webhook_secret: z.string().startsWith('whsec_').optional(),
  /** The address of the shop that the endpoint leads to; null where the shop has made none. */
  webhook_site: siteUrl.nullable(),
  /** The account of the stored key, as Stripe named it when it was set. Null where no key is stored. */
  account: z.object({ id: z.string(), name: z.string(), is_live: z.boolean() }).nullable(),
  /** The price of an own book while there is no key; of no effect once there was one. */
  without_key: withoutKey,
  /** True while a key is set, and where one ever was, also of the environment. */
  had_key: z.boolean(),
})

/** All groups with all their values, secrets included. It never leaves the server. */
export const settingValues = z.object({
  shop,
  mail: mailSettings,
  author_emails: authorEmailSettings,
  letters: lettersSettings,
  webhook: webhookSettings,
  shipping,
  tax,
  payments,
  backups: backupSettings,
})
export type SettingValues = z.infer<typeof settingValues>

export type SettingGroupName = keyof SettingValues
export const settingGroupNames = settingValues.keyof().options

/** Their defaults follow from PORT and ADMIN_EMAIL. */
type Computed = 'site_url' | 'from_address'

type SettingGroup<Name extends SettingGroupName> = {
  label: string
  defaults: Omit<SettingValues[Name], Computed>
  variables: Partial<Record<keyof SettingValues[Name], string>>
  /** Optional texts that are sealed in the database and never sent to the browser. */
  secrets: readonly (keyof SettingValues[Name] & string)[]
  /** Set by the shop itself, and not shown. */
  internal: readonly (keyof SettingValues[Name] & string)[]
}

export const settingGroups: { [Name in SettingGroupName]: SettingGroup<Name> } = {
  shop: {
    label: 'the shop',
    defaults: {
      former_site_urls: [],
      id: null,
      confirmed_site_url: null,
      reached: null,
      time_zone: 'UTC',
      currency: 'usd',
      has_guest_checkout: true,
      admins_need_factor: false,
    },
    variables: {
      site_url: 'SITE_URL',
      time_zone: 'TIME_ZONE',
      currency: 'CURRENCY',
      has_guest_checkout: 'GUEST_CHECKOUT',
    },
    secrets: [],
    internal: ['former_site_urls', 'id', 'confirmed_site_url', 'reached'],
  },
  mail: {
    label: 'mail',
    defaults: {
      host: '',
      port: 587,
      encryption: 'starttls',
      user: '',
      from_name: '',
      dkim_selector: '',
      bulk_per_hour: 200,
      is_public_only: true,
    },
    variables: {
      host: 'SMTP_URL',
      port: 'SMTP_URL',
      encryption: 'SMTP_URL',
      user: 'SMTP_URL',
      password: 'SMTP_URL',
      from_name: 'MAIL_FROM',
      from_address: 'MAIL_FROM',
      is_public_only: 'SMTP_PRIVATE_HOSTS',
    },
    secrets: ['password'],
    internal: ['is_public_only'],
  },
  author_emails: {
    label: 'the emails to the author',
    defaults: {
      sale: true,
      parcels: true,
      message: true,
      refund_asked: true,
      dispute: true,
      failures: true,
      weekly_summary: true,
    },
    variables: {},
    secrets: [],
    internal: [],
  },
  letters: {
    label: 'letters',
    defaults: { is_on: false, sender: '', topics: '', frequency: '', program: '' },
    variables: {},
    secrets: [],
    internal: [],
  },
  webhook: {
    label: 'the webhook',
    defaults: { host: '', switched_off: null, renewed_at: null, is_public_only: true },
    variables: { is_public_only: 'WEBHOOK_PRIVATE_HOSTS' },
    secrets: ['url', 'signing_secret', 'former_secret'],
    // Stored by domains/settings/webhook-setup.ts.
    internal: [
      'host',
      'switched_off',
      'url',
      'signing_secret',
      'former_secret',
      'renewed_at',
      'is_public_only',
    ],
  },
  shipping: {
    label: 'shipping',
    defaults: {
      countries: ['US'],
      asks_address: false,
      price: 0,
      country_prices: {},
      delivery_days_min: null,
      delivery_days_max: null,
      notices: {},
    },
    variables: {
      countries: 'SHIPPING_COUNTRIES',
      asks_address: 'ASK_ADDRESS',
      price: 'SHIPPING_PRICES',
      country_prices: 'SHIPPING_PRICES',
    },
    secrets: [],
    // Stored by domains/settings/guarantee-notice.ts with their files.
    internal: ['notices'],
  },
  tax: {
    label: 'tax',
    defaults: {
      digital_seller: 'author',
      has_tax: false,
      tax_codes: usualTaxCodes,
      has_tax_ids: false,
      has_invoices: false,
    },
    variables: {
      has_tax: 'STRIPE_TAX',
      in_prices: 'TAX_IN_PRICES',
      tax_codes: 'STRIPE_TAX_CODES',
      has_tax_ids: 'STRIPE_TAX_IDS',
      has_invoices: 'STRIPE_INVOICES',
    },
    secrets: [],
    internal: [],
  },
  payments: {
    label: 'payments',
    defaults: { webhook_site: null, account: null, without_key: 'not_for_sale', had_key: false },
    variables: {
      secret_key: 'STRIPE_SECRET_KEY',
      webhook_secret: 'STRIPE_WEBHOOK_SECRET',
      webhook_site: 'STRIPE_WEBHOOK_SECRET',
    },
    secrets: ['secret_key', 'webhook_secret'],
    // Keys are stored by domains/settings/payment-setup.ts, once Stripe has accepted them.
    internal: ['secret_key', 'webhook_secret', 'webhook_site', 'account', 'had_key'],
  },
  backups: {
    label: 'the second place of backups',
    defaults: {
      endpoint: '',
      region: '',
      bucket: '',
      prefix: '',
      access_key: '',
      is_hourly: true,
      is_public_only: true,
    },
    variables: {
      endpoint: 'BACKUP_URL',
      region: 'BACKUP_URL',
      bucket: 'BACKUP_URL',
      prefix: 'BACKUP_URL',
      access_key: 'BACKUP_URL',
      secret_key: 'BACKUP_URL',
      passphrase: 'BACKUP_PASSPHRASE',
      is_public_only: 'BACKUP_PRIVATE_HOSTS',
    },
    secrets: ['secret_key', 'passphrase', 'former_passphrases'],
    // The passphrases are made and stored by domains/backup/passphrase.ts.
    internal: ['passphrase', 'former_passphrases', 'is_public_only'],
  },
}

export const settingGroupName = z.enum(settingGroupNames)

/** The notice on the legal guarantee that the published page shows, and in which language it has to be. */
export const noticeState = z.object({ language: z.enum(noticeLanguages), notice: notice.nullable() })
export type NoticeState = z.infer<typeof noticeState>

export const noticeChange = z.strictObject({
  language: z.enum(noticeLanguages),
  upload_id: z.string().regex(/^[0-9a-f]{32}$/),
})

const storedSecret = z.object({
  ends_in: z.string().nullable(),
  /** False where it was sealed with an AUTH_SECRET that is gone: it has to be entered again. */
  is_readable: z.boolean(),
  set_at: timestamp,
  set_by: z.string(),
})
export type StoredSecret = z.infer<typeof storedSecret>

export const settingsGroup = z.object({
  values: z.record(z.string(), z.unknown()),
  secrets: z.record(z.string(), storedSecret.nullable()),
  variables: z.record(z.string(), z.string()),
  locked: z.record(z.string(), z.string()),
  /** Warnings before a field gets one of its values: by field, then by value. */
  warnings: z.record(z.string(), z.record(z.string(), z.string())).optional(),
  /** A change sends it along, so that another admin's in between is not overwritten. */
  revision: z.number().int(),
  changed_at: timestamp.nullable(),
  changed_by: z.string().nullable(),
})
export type SettingsGroup = z.infer<typeof settingsGroup>

export const settingsChange = z.strictObject({
  revision: z.number().int().min(0),
  values: z.record(z.string(), z.unknown()),
  current_password: z.string().max(200).optional(),
})
export type SettingsChange = z.infer<typeof settingsChange>

export const connection = z.object({
  mode: z.enum(['none', 'test', 'live']),
  sale_mode: saleMode,
  is_from_environment: z.boolean(),
  account: z.object({ id: z.string(), name: z.string() }).nullable(),
  key: storedSecret.nullable(),
  /** The shop asks every minute where it has none. */
  has_webhook: z.boolean(),
  /** The address, and why Stripe does not reach it: it opens on this computer or network only, or has no https. */
  unreachable: z.object({ url: z.string(), reason: z.enum(['computer', 'network', 'no_https']) }).nullable(),
  former_webhook: z.string().nullable(),
  test_order: z
    .object({ id, number: z.number().int(), is_paid: z.boolean(), is_refunded: z.boolean() })
    .nullable(),
  /** Products for sale whose last checkout Stripe refused, with its words. */
  refused_checkouts: z.array(z.object({ product: z.string(), words: z.string() })),
})
export type Connection = z.infer<typeof connection>

export const connectionRequest = z.strictObject({
  secret_key: z
    .string()
    .trim()
    .max(300)
    .refine((key) => !key.startsWith('pk_'), {
      error: 'This is the publishable key. The shop needs the secret one, which begins with sk_ or rk_.',
    })
    .refine((key) => key.startsWith('pk_') || /^[sr]k_(test|live)_\S+$/.test(key), {
      error: 'A key begins with sk_test_, sk_live_, rk_test_ or rk_live_. Please copy it whole.',
    })
    .meta({ format: 'key' }),
  current_password: z.string().max(200).optional(),
})

export const copyConfirmation = z.strictObject({
  site_url: z.string().max(200),
  current_password: z.string().max(200).optional(),
})

export const disconnectRequest = z.strictObject({ current_password: z.string().max(200).optional() })
