// Reads the configuration of the process from the environment and the file `.env`.
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { isatty } from 'node:tty'
import { parseEnv } from 'node:util'
import { z } from 'zod'
import { isLiveKey } from '#contract/stripe.ts'
import type { SettingGroupName, SettingValues } from '#contract/settings/settings.ts'
import { mailServer, refusesAddedTax, unknownToStripe, variables } from './variables.ts'

export type Config = ReturnType<typeof readConfig>

export type { SettingValues } from '#contract/settings/settings.ts'

type Overrides = {
  [Name in SettingGroupName]: {
    [Field in keyof SettingValues[Name]]?: SettingValues[Name][Field] | undefined
  }
}

/** The screen sets no second place where BACKUP_URL names it. */
const noBucket = { endpoint: '', region: '', bucket: '', prefix: '', access_key: '', secret_key: '' }

export class ConfigError extends Error {}

function stripeSettings(value: z.output<typeof variables>) {
  return {
    apiBase: value.STRIPE_API_BASE,
    callsAtOnce: value.STRIPE_CONCURRENCY,
    roundMs: value.STRIPE_RECONCILE_SECONDS * 1000,
  }
}

/** Variables that the environment has already stay. `lectern` names `.env`, which need not exist. */
export function loadEnvFile(): void {
  const file = process.env['ENV_FILE']
  if (!file || (file === '.env' && !existsSync(file))) return
  try {
    // Windows' editors begin a file with a byte order mark.
    const values = parseEnv(readFileSync(file, 'utf8').replace(/^\ufeff/, ''))
    for (const [name, value] of Object.entries(values)) process.env[name] ??= value
  } catch (cause) {
    throw new ConfigError(`The settings in ${file} (ENV_FILE) cannot be read.`, { cause })
  }
}

const socketVariables = z.object({ LISTEN_PID: z.coerce.number(), LISTEN_FDS: z.coerce.number() })
/** The first descriptor behind those of input, output and errors, as sd_listen_fds(3) says. */
const firstSocket = 3

/** The socket that systemd holds for this process, and for the one after it. */
function findSocket(env: Record<string, string | undefined>): number | undefined {
  const { success, data } = socketVariables.safeParse(env)
  return success && data.LISTEN_PID === process.pid && data.LISTEN_FDS === 1 ? firstSocket : undefined
}

const secretName = /PASS|SECRET|KEY|TOKEN/

export function secretsIn(env: Record<string, string | undefined> = process.env): string[] {
  return Object.entries(env).flatMap(([name, value = '']) => {
    if (secretName.test(name)) return [value]
    const { password = '' } = URL.canParse(value) ? new URL(value) : {}
    return password ? [password, decodeURIComponent(password)] : []
  })
}

export function showsStacks(): boolean {
  return process.env['LOG_LEVEL'] === 'debug'
}

/** Ignored, they would send copies that are not encrypted. */
const endedVariables = ['BACKUP_PUBLIC_KEY', 'BACKUP_IDENTITY']
const isEnded = 'is no setting any more: take it out, and set BACKUP_PASSPHRASE to encrypt the backups'

export function readConfig(env: Record<string, string | undefined> = process.env, isTerminal = isatty(1)) {
  const parsed = variables
    .refine((value) => Boolean(value.ADMIN_PASSWORD) <= Boolean(value.ADMIN_EMAIL), {
      path: ['ADMIN_EMAIL'],
      error: 'is needed when ADMIN_PASSWORD is set',
      // All bad settings are to be named at once, so this is checked when another one is bad, too.
      when: () => true,
    })
    .refine((value) => Boolean(value.STRIPE_WEBHOOK_SECRET) === Boolean(value.STRIPE_SECRET_KEY), {
      path: ['STRIPE_WEBHOOK_SECRET'],
      error: 'and STRIPE_SECRET_KEY are needed together',
      when: () => true,
    })
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
    .refine((value) => !value.STRIPE_TAX || value.TAX_IN_PRICES !== 'none', {
      path: ['TAX_IN_PRICES'],
      error: 'must be included or added where STRIPE_TAX is on',
      when: () => true,
    })
    .refine((value) => !refusesAddedTax(value), {
      path: ['TAX_IN_PRICES'],
      error: ({ input }) => `cannot be added. ${refusesAddedTax(input)}`,
      when: () => true,
    })
    .safeParse(env, { jitless: true })
  const misspelt = findMisspelt(env)
  const ended = endedVariables.filter((name) => env[name])
  if (!parsed.success || ended.length > 0) {
    const issues = parsed.error?.issues ?? []
    const lines = issues.map((issue) => `  ${issue.path.join('.')} ${issue.message}`)
    lines.push(...ended.map((name) => `  ${name} ${isEnded}`))
    lines.push(...misspelt.map((each) => `  ${describeMisspelt(each)}`))
    throw new ConfigError(`Lectern cannot start with these settings:\n${lines.join('\n')}`)
  }
  const value = parsed.data
  const overrides: Overrides = {
    shop: {
      site_url: value.SITE_URL && new URL(value.SITE_URL).origin,
      time_zone: value.TIME_ZONE,
      currency: value.CURRENCY,
      has_guest_checkout: value.GUEST_CHECKOUT,
    },
    mail: {
      ...mailServer(value.SMTP_URL),
      ...value.MAIL_FROM,
      is_public_only: value.SMTP_URL || value.SMTP_PRIVATE_HOSTS ? false : undefined,
    },
    letters: {},
    webhook: { is_public_only: value.WEBHOOK_PRIVATE_HOSTS ? false : undefined },
    shipping: {
      countries: value.SHIPPING_COUNTRIES,
      asks_address: value.ASK_ADDRESS,
      ...value.SHIPPING_PRICES,
    },
    author_emails: {},
    tax: {
      has_tax: value.STRIPE_TAX,
      in_prices: value.TAX_IN_PRICES,
      tax_codes: value.STRIPE_TAX_CODES,
      has_tax_ids: value.STRIPE_TAX_IDS,
      has_invoices: value.STRIPE_INVOICES,
    },
    payments: {
      secret_key: value.STRIPE_SECRET_KEY,
      webhook_secret: value.STRIPE_WEBHOOK_SECRET,
      webhook_site: value.STRIPE_WEBHOOK_SECRET ? null : undefined,
    },
    backups: {
      ...(value.BACKUP_URL && noBucket),
      passphrase: value.BACKUP_PASSPHRASE,
      is_public_only: value.BACKUP_PRIVATE_HOSTS ? false : undefined,
    },
  }
  return {
    isDevelopment: value.NODE_ENV === 'development',
    port: value.PORT,
    host: value.HOST,
    socketFd: findSocket(env),
    overrides,
    dataDir: resolve(value.DATA_DIR),
    databaseUrl: value.DATABASE_URL,
    storageUrl: value.STORAGE_URL,
    backup: {
      url: value.BACKUP_URL,
      pingUrl: value.BACKUP_PING_URL,
      passphrase: value.BACKUP_PASSPHRASE,
    },
    smtpUrl: value.SMTP_URL,
    adminEmail: value.ADMIN_EMAIL,
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
    misspelt,
    isTerminal,
    logLevel: value.LOG_LEVEL ?? (isTerminal ? 'warn' : 'info'),
  }
}

type MisspeltSetting = { name: string; meant: string }

const settingNames = Object.keys(variables.shape)

function findMisspelt(env: Record<string, string | undefined>): MisspeltSetting[] {
  const isSetting = new Set(settingNames)
  return Object.keys(env)
    .filter((name) => !isSetting.has(name))
    .flatMap((name) => {
      const meant = settingNames.find((each) => isOneLetterOff(name, each))
      return meant ? [{ name, meant }] : []
    })
}

export function describeMisspelt({ name, meant }: MisspeltSetting): string {
  return `${name} is not a setting: did you mean ${meant}?`
}

function isOneLetterOff(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a === b) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start += 1
  const restA = a.slice(start)
  const restB = b.slice(start)
  if (a.length > b.length) return restA.slice(1) === restB
  if (a.length < b.length) return restA === restB.slice(1)
  const areSwapped = restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2)
  return areSwapped || restA.slice(1) === restB.slice(1)
}
