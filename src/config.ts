// The environment as typed settings. The only file that reads it; every bad setting is named at once.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { isatty } from 'node:tty'
import { z } from 'zod'
import { currencyCodes } from '#platform/contract/currencies.ts'
import { minPasswordLength } from '#platform/contract/password-length.ts'
import { isLiveKey, stripeKey } from '#platform/contract/stripe-key.ts'
import { isBucketAddress } from '#platform/bucket-client.ts'
import { splitHosts } from '#platform/db/writable-client.ts'
import {
  isTimeZone,
  isWholeSite,
  type SettingGroupName,
  type SettingValues,
} from '#features/settings/contract/setting-groups.ts'
import { mailSender, mailServer, smtpAddress } from './mail-variables.ts'
import { countryCodes, shippingPrices, taxCodes, unknownToStripe } from './setting-lists.ts'

const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())
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

/** One entry a setting: what it does stands beside it, and `.env.example` and the README repeat it for people. */
const settings = z.object({
  /** `development` serves through Vite with hot reload; anything else serves the build. */
  NODE_ENV: optional(z.string()),
  PORT: optional(z.coerce.number().int().min(0).max(65_535)).default(3000),
  /** The address to listen on; unset, all of them. */
  HOST: optional(z.string()),
  /** How visitors reach the shop: used in mails, links and canonical addresses. */
  SITE_URL: optional(siteAddress),
  /** Where the shop is at home (IANA name, as `America/New_York`): decides when a day of sales begins. */
  TIME_ZONE: optional(
    z.string().refine((zone) => isTimeZone(zone), 'must be a time zone, as America/New_York'),
  ),
  /** Of all prices (ISO code, as `EUR`): one of those that the settings of the shop offer. */
  CURRENCY: optional(
    z
      .string()
      .toLowerCase()
      .pipe(z.enum(currencyCodes, `must be one of ${currencyCodes.join(', ').toUpperCase()}`)),
  ),
  DATA_DIR: optional(z.string()).default('./data'),
  /** PostgreSQL 15 or newer, of several hosts the one that accepts writes; unset, an embedded one is started in DATA_DIR. */
  DATABASE_URL: optional(z.string().refine(isDatabaseAddress, 'must be a postgres:// address')),
  /** `file:/folder` or `s3://bucket/folder?region=…&endpoint=…&timeout=seconds` (credentials from AWS's own variables). */
  STORAGE_URL: optional(storageAddress),
  /** Where backups go besides DATA_DIR/backups: `file:/folder` on another disk, or `s3://bucket?region=…&endpoint=…`. */
  BACKUP_URL: optional(storageAddress),
  /** Encrypts what goes to BACKUP_URL; the shop's secret is in those backups only. */
  BACKUP_PASSPHRASE: optional(z.string().min(12, 'must have at least 12 characters')),
  /** Instead of a passphrase: an age key (`age1…`), whose secret half this machine need not have. */
  BACKUP_PUBLIC_KEY: optional(z.string().startsWith('age1', 'must begin with age1')),
  /** Only to read what was encrypted for BACKUP_PUBLIC_KEY: its secret half. */
  BACKUP_IDENTITY: optional(z.string().startsWith('AGE-SECRET-KEY-1', 'must begin with AGE-SECRET-KEY-1')),
  SMTP_URL: optional(smtpAddress),
  /** An address, or a name and an address in angle brackets. */
  MAIL_FROM: optional(mailSender),
  /** This account exists, is verified and is admin after each start. Also where contact messages go. */
  ADMIN_EMAIL: optional(z.email('must be an email address')),
  ADMIN_PASSWORD: optional(
    z.string().min(minPasswordLength, `must have at least ${minPasswordLength} characters`),
  ),
  /** Also gets each contact message, as JSON; it is stored and mailed to the author in any case. */
  CONTACT_FORM_URL: optional(webAddress),
  /** Signs sessions and links, seals keys and second factors; unset, made once and stored in DATA_DIR. */
  AUTH_SECRET: optional(z.string().min(32, 'must have at least 32 characters')),
  /** What AUTH_SECRET was before: until `lectern admin rotate-secret`, and to open backups from its time. */
  OLD_AUTH_SECRET: optional(z.string()),
  /** Stripe's secret (or restricted) key; unset, purchases complete without any money being taken. */
  STRIPE_SECRET_KEY: optional(stripeKey),
  /** Of the webhook endpoint that leads to SITE_URL/api/stripe/webhook. */
  STRIPE_WEBHOOK_SECRET: optional(z.string().startsWith('whsec_', 'must begin with whsec_')),
  /** Another address than Stripe's own, for tests. */
  STRIPE_API_BASE: optional(webAddress),
  /** Stripe works out the tax (Stripe Tax must be set up there). */
  STRIPE_TAX: optional(onOff),
  /** By format, where Stripe works out the tax: its code for what is sold (docs.stripe.com/tax/tax-codes). */
  STRIPE_TAX_CODES: optional(taxCodes),
  /** Buyers may give their tax id. */
  STRIPE_TAX_IDS: optional(onOff),
  /** Stripe makes an invoice of each purchase. */
  STRIPE_INVOICES: optional(onOff),
  /** How many questions the reconciler may have open at Stripe at once. */
  STRIPE_CONCURRENCY: optional(z.coerce.number().int().min(1).max(50)).default(4),
  /** How often the shop asks Stripe about payments it was not told of; it waits five such rounds before the first time. */
  STRIPE_RECONCILE_SECONDS: optional(z.coerce.number().int().min(1).max(3600)).default(60),
  /** Where physical books are sent: ISO 3166 country codes, separated by commas. */
  SHIPPING_COUNTRIES: optional(countryCodes),
  /** What sending them costs the buyer: everywhere, and in single countries. */
  SHIPPING_PRICES: optional(shippingPrices),
  /** Where no payments are taken: an address must come with each purchase of a book on paper. */
  ASK_ADDRESS: optional(onOff),
  /** How many proxies in front are trusted to say who calls (`X-Forwarded-For`, counted from the right). */
  TRUST_PROXY: optional(z.coerce.number().int().min(0).max(10)).default(0),
  /** How long /api/ready responds with 503 before the shop stops: longer than a load balancer takes to notice. */
  DRAIN_SECONDS: optional(z.coerce.number().min(0).max(300)).default(0),
  RATE_LIMIT: optional(onOff).default(true),
  /** The largest ebook, in bytes. */
  UPLOAD_MAX_BYTES: optional(z.coerce.number().int().min(1)).default(500 * 1024 * 1024),
  /** For `GET /metrics`, as `Authorization: Bearer …`; unset, nothing is there. */
  METRICS_TOKEN: optional(z.string().min(32, 'must have at least 32 characters')),
  /** Unset: `info`, and in a terminal, where the addresses are printed instead, `warn`. */
  LOG_LEVEL: optional(z.enum(['debug', 'info', 'warn', 'error', 'silent'])),
})

export type Config = ReturnType<typeof readConfig>

export type { SettingValues } from '#features/settings/contract/setting-groups.ts'

/** What the environment sets of what can otherwise be changed while the shop runs; undefined is not set. */
type Overrides = {
  [Name in SettingGroupName]: {
    [Field in keyof SettingValues[Name]]?: SettingValues[Name][Field] | undefined
  }
}

export class ConfigError extends Error {}

/** The keys are among the settings that can change while the shop runs. */
function stripeSettings(value: z.output<typeof settings>) {
  return {
    apiBase: value.STRIPE_API_BASE,
    callsAtOnce: value.STRIPE_CONCURRENCY,
    roundMs: value.STRIPE_RECONCILE_SECONDS * 1000,
  }
}

function isDatabaseAddress(url: string): boolean {
  return splitHosts(url) !== undefined
}

/**
 * Reads the file that ENV_FILE names; what the environment has already is kept. `lectern` names `.env`, which need not
 * exist. Throws a ConfigError when another one cannot be read.
 */
export function loadEnvFile(): void {
  const file = process.env['ENV_FILE']
  if (!file || (file === '.env' && !existsSync(file))) return
  try {
    process.loadEnvFile(file)
  } catch (cause) {
    throw new ConfigError(`The settings in ${file} (ENV_FILE) cannot be read.`, { cause })
  }
}

/** Whether an error that ends the start is shown with all that led to it: asked before the settings are known good. */
export function showsStacks(): boolean {
  return process.env['LOG_LEVEL'] === 'debug'
}

/** Throws a ConfigError that names every bad setting. */
export function readConfig(env: Record<string, string | undefined> = process.env, isTerminal = isatty(1)) {
  const parsed = settings
    .refine((value) => Boolean(value.ADMIN_PASSWORD) <= Boolean(value.ADMIN_EMAIL), {
      path: ['ADMIN_EMAIL'],
      error: 'is needed when ADMIN_PASSWORD is set',
      // Also when another setting is bad: all are to be named at once.
      when: () => true,
    })
    .refine((value) => Boolean(value.STRIPE_WEBHOOK_SECRET) === Boolean(value.STRIPE_SECRET_KEY), {
      path: ['STRIPE_WEBHOOK_SECRET'],
      error: 'and STRIPE_SECRET_KEY are needed together',
      when: () => true,
    })
    // Where it is not set here, the settings have another: see startShop.
    .refine(
      ({ SITE_URL, ...value }) => !isLiveKey(value.STRIPE_SECRET_KEY) || !SITE_URL?.startsWith('http:'),
      {
        path: ['STRIPE_SECRET_KEY'],
        error: 'is a live key, so SITE_URL must begin with https://',
        when: () => true,
      },
    )
    .refine((value) => !value.STRIPE_SECRET_KEY || unknownToStripe(value) === '', {
      path: ['SHIPPING_COUNTRIES'],
      error: ({ input }) =>
        `has countries to which Stripe Checkout takes no addresses, so leave them out: ${unknownToStripe(input)}`,
      when: () => true,
    })
    .refine((value) => !value.BACKUP_PASSPHRASE || !value.BACKUP_PUBLIC_KEY, {
      path: ['BACKUP_PUBLIC_KEY'],
      error: 'and BACKUP_PASSPHRASE exclude each other',
      when: () => true,
    })
    .safeParse(env, { jitless: true })
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')} ${issue.message}`)
    throw new ConfigError(`Lectern cannot start with these settings:\n${lines.join('\n')}`)
  }
  const value = parsed.data
  const overrides: Overrides = {
    shop: {
      site_url: value.SITE_URL && new URL(value.SITE_URL).origin,
      time_zone: value.TIME_ZONE,
      currency: value.CURRENCY,
    },
    mail: { ...mailServer(value.SMTP_URL), ...value.MAIL_FROM },
    shipping: {
      countries: value.SHIPPING_COUNTRIES,
      asks_address: value.ASK_ADDRESS,
      ...value.SHIPPING_PRICES,
    },
    tax: {
      has_tax: value.STRIPE_TAX,
      tax_codes: value.STRIPE_TAX_CODES,
      has_tax_ids: value.STRIPE_TAX_IDS,
      has_invoices: value.STRIPE_INVOICES,
    },
    payments: {
      secret_key: value.STRIPE_SECRET_KEY,
      webhook_secret: value.STRIPE_WEBHOOK_SECRET,
      // Its endpoint was made by hand.
      webhook_site: value.STRIPE_WEBHOOK_SECRET ? null : undefined,
    },
  }
  return {
    isDevelopment: value.NODE_ENV === 'development',
    port: value.PORT,
    host: value.HOST,
    overrides,
    dataDir: resolve(value.DATA_DIR),
    databaseUrl: value.DATABASE_URL,
    storageUrl: value.STORAGE_URL,
    backup: {
      url: value.BACKUP_URL,
      keys: {
        passphrase: value.BACKUP_PASSPHRASE,
        publicKey: value.BACKUP_PUBLIC_KEY,
        identity: value.BACKUP_IDENTITY,
      },
    },
    smtpUrl: value.SMTP_URL,
    adminEmail: value.ADMIN_EMAIL?.toLowerCase(),
    adminPassword: value.ADMIN_PASSWORD,
    contactFormUrl: value.CONTACT_FORM_URL,
    authSecret: value.AUTH_SECRET,
    oldAuthSecret: value.OLD_AUTH_SECRET,
    stripe: stripeSettings(value),
    trustedProxies: value.TRUST_PROXY,
    drainSeconds: value.DRAIN_SECONDS,
    hasRateLimits: value.RATE_LIMIT,
    uploadMaxBytes: value.UPLOAD_MAX_BYTES,
    metricsToken: value.METRICS_TOKEN,
    isTerminal,
    logLevel: value.LOG_LEVEL ?? (isTerminal ? 'warn' : 'info'),
  }
}
