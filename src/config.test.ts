// Rules of the settings.
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test, vi } from 'vitest'
import { stripeCountries } from '#contract/orders/countries.ts'
import { usualTaxCodes } from '#contract/settings/settings.ts'
import { shippingCountries } from '@lectern/stripe-stand-in'
import { ConfigError, loadEnvFile, readConfig } from './config.ts'

test('nothing needs to be set', () => {
  expect(readConfig({}, false)).toEqual({
    isDevelopment: false,
    port: 3000,
    host: undefined,
    socketFd: undefined,
    overrides: {
      shop: {},
      mail: {},
      author_emails: {},
      letters: {},
      webhook: {},
      shipping: {},
      tax: {},
      payments: {},
      backups: {},
    },
    dataDir: resolve('./data'),
    databaseUrl: undefined,
    storageUrl: undefined,
    backup: { url: undefined, passphrase: undefined, pingUrl: undefined },
    smtpUrl: undefined,
    adminEmail: undefined,
    adminPassword: undefined,
    contactFormUrl: undefined,
    authSecret: undefined,
    uploadMaxBytes: 524_288_000,
    stripe: { apiBase: undefined, callsAtOnce: 4, roundMs: 60_000 },
    drainSeconds: 0,
    trustedProxies: 0,
    hasRateLimits: true,
    misspelt: [],
    isTerminal: false,
    logLevel: 'info',
  })
})

test('a socket counts where it was handed to this process, and alone', () => {
  const handed = (LISTEN_PID: number, LISTEN_FDS: string) =>
    readConfig({ LISTEN_PID: String(LISTEN_PID), LISTEN_FDS }).socketFd
  expect(handed(process.pid, '1')).toBe(3)
  // As a process inherits it from the one that it was handed to.
  expect(handed(process.ppid, '1')).toBeUndefined()
  expect(handed(process.pid, '2')).toBeUndefined()
  expect(handed(process.pid, '')).toBeUndefined()
})

test('a name that is one letter off is named with the right one, also where the settings are refused', () => {
  const wrong = ['STRIPE_SECERT_KEY', 'BACKUP_PASPHRASE', 'SMTP_URLS', 'MAIL_FORM', 'SITE-URL']
  const env = Object.fromEntries([...wrong, 'PATH', 'HOSTNAME', 'SHLVL', 'PORT_A'].map((name) => [name, '1']))
  expect(readConfig(env).misspelt.map(({ name, meant }) => `${name} ${meant}`)).toEqual([
    'STRIPE_SECERT_KEY STRIPE_SECRET_KEY',
    'BACKUP_PASPHRASE BACKUP_PASSPHRASE',
    'SMTP_URLS SMTP_URL',
    'MAIL_FORM MAIL_FROM',
    'SITE-URL SITE_URL',
  ])
  const refusal = refusalOf({ STRIPE_WEBHOOK_SECRET: 'whsec_secret', STRIPE_SECERT_KEY: 'sk_test_secret' })
  expect(refusal).toContain('STRIPE_SECERT_KEY is not a setting: did you mean STRIPE_SECRET_KEY?')
  expect(refusal).not.toContain('_secret\n')
})

test('a number that is none is refused with what it has to be', () => {
  const refusal = refusalOf({
    PORT: 'abc',
    TRUST_PROXY: '1.5',
    DRAIN_SECONDS: 'soon',
    STRIPE_CONCURRENCY: '0',
  })
  expect(refusal.split('\n').slice(1)).toEqual([
    '  PORT must be a whole number from 0 to 65535, as 3000: the port that the shop listens on',
    '  STRIPE_CONCURRENCY must be a whole number from 1 to 50',
    '  TRUST_PROXY must be a whole number from 0 to 10',
    '  DRAIN_SECONDS must be a number of seconds, from 0 to 300',
  ])
})

test('a time zone is a name, not an offset or an abbreviation, which PostgreSQL reads otherwise', () => {
  for (const TIME_ZONE of ['+05:30', '-8', '−08:00', 'IST', 'CET'])
    expect(refusalOf({ TIME_ZONE })).toContain('TIME_ZONE must be the name of a time zone')
  for (const TIME_ZONE of ['Asia/Kolkata', 'UTC', 'GMT', 'Japan', 'Etc/GMT+5']) readConfig({ TIME_ZONE })
})

test('a variable that once encrypted backups is refused, since ignored it would let copies go out plain', () => {
  const key = 'age1qyqszqgpqyqszqgpqyqszqgp'
  for (const name of ['BACKUP_PUBLIC_KEY', 'BACKUP_IDENTITY']) {
    const refusal = refusalOf({ [name]: key })
    expect(refusal).toContain(`\n  ${name} is no setting any more: take it out, and set BACKUP_PASSPHRASE`)
    expect(refusal).not.toContain(key)
    readConfig({ [name]: '' })
  }
})

test('a setting that is empty counts as not set', () => {
  const names = ['NODE_ENV', 'PORT', 'SITE_URL', 'DATABASE_URL', 'SMTP_URL', 'ADMIN_EMAIL', 'RATE_LIMIT']
  expect(readConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(readConfig({}))
})

test('the address of the site is its origin; the sender of mails is a name and an address', () => {
  const config = readConfig({ SITE_URL: 'https://books.example/' })
  expect(config.overrides.shop.site_url).toBe('https://books.example')
  const senders = {
    'The Book <shop@books.example>': ['The Book', 'shop@books.example'],
    '"The Book, by Ruth" <Shop@books.example>': ['The Book, by Ruth', 'shop@books.example'],
    'shop@localhost': ['', 'shop@localhost'],
  }
  for (const [MAIL_FROM, [from_name, from_address]] of Object.entries(senders))
    expect(readConfig({ MAIL_FROM }).overrides.mail).toEqual({ from_name, from_address })
  expect(refusalOf({ SMTP_URL: 'smtps://a:50%@b.example' })).toContain(
    'SMTP_URL has a % that stands for itself',
  )
  expect(refusalOf({ MAIL_FROM: 'The Book' })).toContain('MAIL_FROM must hold an email address')
})

test.each([
  ['smtps://mail.example', 'tls', 465],
  ['smtp://mail.example?secure=true', 'opportunistic', 587],
  ['smtp://mail.example?requireTLS=true', 'starttls', 587],
  ['smtp://127.0.0.1:2525', 'opportunistic', 2525],
  ['smtp://127.0.0.1:2525?ignoreTLS=true', 'none', 2525],
])('%s sets all of the mail server: its encryption is %s', (SMTP_URL, encryption, port) => {
  const { hostname: host } = new URL(SMTP_URL)
  expect(readConfig({ SMTP_URL }).overrides.mail).toEqual({
    host,
    port,
    encryption,
    user: '',
    password: '',
    is_public_only: false,
  })
})

test('an address of the site that says more than a site is refused, not cut short', () => {
  for (const more of ['/shop', '/shop/', '/?a=b', '/#sale']) {
    const message = refusalOf({ SITE_URL: `https://books.example${more}` })
    expect(message).toContain('\n  SITE_URL must end with its host')
  }
  expect(refusalOf({ SITE_URL: 'https://me:hunter2@books.example' })).not.toContain('hunter2')
})

test('the admin address is compared in lower case', () => {
  expect(readConfig({ ADMIN_EMAIL: 'Author@Books.Example' }).adminEmail).toBe('author@books.example')
})

test('every bad setting is named at once, and no value is repeated', () => {
  const bad = {
    PORT: '70000',
    SITE_URL: 'books.example',
    DATABASE_URL: 'mysql://root:hunter2@db/shop',
    STORAGE_URL: 'ftp://files',
    BACKUP_URL: 's3://backups?endpoint=s3.example.com&timeout=soon',
    SMTP_URL: 'mail.example:25',
    MAIL_FROM: 'The Book',
    CONTACT_FORM_URL: 'javascript:alert(1)',
    AUTH_SECRET: 'hunter2',
    ADMIN_PASSWORD: 'hunter2',
    TRUST_PROXY: '-1',
    RATE_LIMIT: 'no',
    LOG_LEVEL: 'loud',
  }
  const message = refusalOf(bad)
  for (const name of Object.keys(bad).filter((name) => name !== 'ADMIN_PASSWORD')) {
    expect(message).toContain(`\n  ${name} `)
  }
  expect(message).toContain('\n  ADMIN_EMAIL is needed when ADMIN_PASSWORD is set')
  expect(message).not.toContain('hunter2')
})

function refusalOf(env: Record<string, string>): string {
  try {
    readConfig(env)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as ConfigError).message
  }
  throw new Error('the settings were accepted')
}

test('live money is only taken over https, and never without a way to hear of it', () => {
  const live = { STRIPE_SECRET_KEY: 'sk_live_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' }
  const plain = { ...live, SITE_URL: 'http://shop.example' }
  expect(() => readConfig(plain)).toThrow('STRIPE_SECRET_KEY is a live key')
  expect(readConfig({ ...live, SITE_URL: 'https://shop.example' }).overrides.payments).toEqual({
    secret_key: 'sk_live_x',
    webhook_secret: 'whsec_x',
    webhook_site: null,
  })
  expect(() => readConfig({ STRIPE_SECRET_KEY: 'sk_test_x' })).toThrow('needed together')
  expect(() => readConfig({ STRIPE_SECRET_KEY: 'hello' })).toThrow('sk_test_')
  expect(readConfig({ ...live, STRIPE_SECRET_KEY: 'rk_test_x' }).overrides.payments).toMatchObject({
    secret_key: 'rk_test_x',
  })
})

test('countries are real, and with Stripe such as its checkout takes addresses to', () => {
  const stripe = { STRIPE_SECRET_KEY: 'sk_test_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' }
  const read = (env: Record<string, string>) => readConfig(env).overrides.shipping.countries
  expect(read({ SHIPPING_COUNTRIES: 'US, CU' })).toEqual(['US', 'CU'])
  expect(refusalOf({ SHIPPING_COUNTRIES: 'US,XX,EU' })).toContain(
    '\n  SHIPPING_COUNTRIES has codes of no country: XX, EU',
  )
  expect(refusalOf({ ...stripe, SHIPPING_COUNTRIES: 'US,CU,IR' })).toMatch(
    /\n  SHIPPING_COUNTRIES has countries to which Stripe Checkout takes no addresses, so leave them out: CU, IR$/,
  )
  expect(read({ ...stripe, SHIPPING_COUNTRIES: 'US,GB' })).toEqual(['US', 'GB'])
})

test('prices of shipping are one for everywhere and exceptions by country', () => {
  const read = (SHIPPING_PRICES: string) => readConfig({ SHIPPING_PRICES }).overrides.shipping
  expect(read('4.90, US:0, CA:12.5')).toMatchObject({ price: 4.9, country_prices: { US: 0, CA: 12.5 } })
  expect(read('4')).toMatchObject({ price: 4, country_prices: {} })
  for (const wrong of ['US:4', '4,US', '4.999', '-1', '4,XX:1', '4,US:1,US:2', '10000', '4;5', '4,US:1:2'])
    expect(refusalOf({ SHIPPING_PRICES: wrong })).toContain('as 4.90,US:0,CA:12.50')
})

test('the countries that Stripe Checkout ships to are those of its own library', () => {
  expect([...stripeCountries, 'ZZ'].toSorted()).toEqual(shippingCountries.toSorted())
})

test('a tax code is set for each format, or is the usual one of books', () => {
  const codes = (STRIPE_TAX_CODES: string) => readConfig({ STRIPE_TAX_CODES }).overrides.tax.tax_codes
  expect(codes('')).toBeUndefined()
  expect(codes('bundle:txcd_99999999, digital:txcd_10302001')).toEqual({
    ...usualTaxCodes,
    bundle: 'txcd_99999999',
    digital: 'txcd_10302001',
  })
  for (const bad of ['audio:txcd_10302000', 'digital:10302000', 'digital', 'digital:txcd_10302000:x'])
    expect(refusalOf({ STRIPE_TAX_CODES: bad })).toContain('\n  STRIPE_TAX_CODES must name formats')
})

test('tax cannot be none where Stripe works it out, nor added where books are sent into the EU', () => {
  const chosen = (env: Record<string, string>) => readConfig(env).overrides.tax.in_prices
  expect(chosen({ TAX_IN_PRICES: 'none' })).toBe('none')
  expect(chosen({ TAX_IN_PRICES: 'included', STRIPE_TAX: 'on', SHIPPING_COUNTRIES: 'DE' })).toBe('included')
  expect(chosen({ TAX_IN_PRICES: 'added', STRIPE_TAX: 'on', SHIPPING_COUNTRIES: 'US,GB' })).toBe('added')
  expect(refusalOf({ TAX_IN_PRICES: 'net' })).toContain('TAX_IN_PRICES must be one of included, added, none')
  expect(refusalOf({ TAX_IN_PRICES: 'none', STRIPE_TAX: 'on' })).toContain('must be included or added')
  expect(refusalOf({ TAX_IN_PRICES: 'added', SHIPPING_COUNTRIES: 'US,DE' })).toContain(
    'TAX_IN_PRICES cannot be added. Buyers in Germany must be shown prices with the tax in them.',
  )
})

test('every setting has its line in the README and in .env.example', () => {
  const read = (path: string) => readFileSync(join(import.meta.dirname, path), 'utf8')
  const names = [...read('variables.ts').matchAll(/^  ([A-Z][A-Z_]+):/gm)].map(([, name]) => name!)
  expect(names).toContain('STRIPE_API_BASE')
  const documented = names.filter((name) => name !== 'NODE_ENV')
  const table = read('../README.md')
    .match(/^\| `.*/gm)!
    .join()
  expect(documented.filter((name) => !table.includes(`\`${name}\``))).toEqual([])
  const example = read('../.env.example')
  expect(documented.filter((name) => !example.includes(`\n#${name}=`))).toEqual([])
})

test('settings come from the file that ENV_FILE names, and the environment comes first', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-settings-'))
  const file = join(folder.path, 'shop.env')
  writeFileSync(file, '\ufeffMAIL_FROM=file@books.example\nTIME_ZONE=America/New_York\n')
  vi.stubEnv('ENV_FILE', file).stubEnv('TIME_ZONE', 'Europe/Berlin').stubEnv('MAIL_FROM', undefined)
  loadEnvFile()
  expect(process.env).toMatchObject({ MAIL_FROM: 'file@books.example', TIME_ZONE: 'Europe/Berlin' })
  vi.stubEnv('ENV_FILE', join(folder.path, 'none.env'))
  expect(loadEnvFile).toThrow('none.env (ENV_FILE) cannot be read')
  vi.unstubAllEnvs()
})
