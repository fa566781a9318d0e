// The groups of settings: shown to admins without their secrets, checked against each other, saved and applied.
import { type FieldProblems, readFieldProblems } from '#contract/field-rules.ts'
import { withoutDecimals } from '#contract/money.ts'
import { type Db, type Transaction, openDatabase } from '#platform/db/client.ts'
import type { SettingValues, Config } from '../../config.ts'
import { isOnSale, ships } from '#domains/catalog/product-sql.ts'
import { products } from '#tables/catalog.ts'
import { isLiveKey } from '#contract/stripe.ts'
import { platformProblem } from '#platform/problem.ts'
import { type SettingsShop, settingsProblem } from './shop.ts'
import { findBucketConflicts, findMailConflicts } from './server-conflicts.ts'
import { isCurrencyFixed, setCurrency, setDayZone, stopCountingTests } from './sums-settings.ts'
import { stripeCountries } from '#contract/orders/countries.ts'
import { countryName } from '#contract/orders/postal.ts'
import {
  noTaxWithLink,
  noTaxWithStripe,
  type SettingGroupName,
  settingGroups,
  settingValues,
  type SettingsGroup,
  type StoredSecret,
  type SettingsChange,
  whyNotAdded,
} from '#contract/settings/settings.ts'
import type { Services } from '#platform/services.ts'
import { deleteSettingSecret, saveSettingSecret } from '#platform/setting-secrets.ts'
import { lockSecret } from '#platform/secrets.ts'
import {
  mergeSettings,
  overridesOf,
  readSettings,
  readSettingsIn,
  type StoredGroup,
  type StoredSettings,
} from '#platform/stored-settings.ts'
import { isDeepStrictEqual } from 'node:util'
import { sql, and, not } from 'drizzle-orm'
import { z } from 'zod'
import type { Secret } from '#platform/secret.ts'
import type { AuditAction } from '#contract/overview/audit.ts'
import { recordAuditEvent, type Actor } from '#platform/audit-log.ts'
import { saveFields } from '#platform/stored-settings.ts'
import { findFractions, fitAmounts } from './currency-fit.ts'

function findConflicts(
  name: SettingGroupName,
  before: SettingValues,
  { shop, mail, letters, shipping, tax, payments, backups }: SettingValues,
): FieldProblems | undefined {
  const isUnsafe = isLiveKey(payments.secret_key) && !shop.site_url.startsWith('https:')
  const fractions = findFractions({ shop, shipping })
  if (name === 'shipping' && fractions.length > 0)
    return Object.fromEntries(fractions.map(([field]) => [field, withoutDecimals(shop.currency)]))
  if (name === 'shop' && isUnsafe)
    return { site_url: 'Live payments are taken over https only: the address must begin with https://.' }
  if (name === 'payments' && isUnsafe)
    return {
      secret_key: 'Live payments are taken over https only. Set the address of the shop first, under Shop.',
    }
  const { delivery_days_min: min, delivery_days_max: max } = shipping
  if (name === 'shipping' && (min === null) !== (max === null))
    return {
      [min === null ? 'delivery_days_min' : 'delivery_days_max']: 'Please fill in both numbers, or none.',
    }
  if (name === 'shipping' && min !== null && max !== null && min > max)
    return { delivery_days_max: 'This cannot be less than the other number.' }
  const unserved = payments.secret_key ? shipping.countries.filter((code) => !stripeCountries.has(code)) : []
  const refused = `Stripe takes no addresses in ${unserved.map(countryName).join(', ')}.`
  if (name === 'shipping' && unserved.length > 0) return { countries: refused }
  if (name === 'payments' && unserved.length > 0)
    return { secret_key: `${refused} Take them out first, under Shipping.` }
  if (name === 'payments' && payments.had_key && payments.without_key === 'free')
    return { without_key: 'This shop has had a key of Stripe: without one it sells nothing.' }
  if (name === 'tax' && tax.has_tax) {
    const isUnset = tax.in_prices === undefined && !before.tax.has_tax
    if (isUnset || tax.in_prices === 'none') return { in_prices: noTaxWithStripe }
  }
  if (name === 'tax' && tax.digital_seller === 'stripe') {
    if (before.tax.digital_seller === 'author' && !payments.secret_key)
      return { digital_seller: 'Connect Stripe first, under Payments.' }
    if (tax.in_prices === undefined || tax.in_prices === 'none') return { in_prices: noTaxWithLink }
  }
  const refusedTax = whyNotAdded(tax, shipping.countries)
  if (name === 'tax' && refusedTax) return { in_prices: refusedTax }
  if (name === 'shipping' && refusedTax)
    return { countries: `${refusedTax} Now tax is added to them: change that first, under Tax.` }
  if (name === 'letters' && letters.is_on) return findUnsaid(letters)
  if (name === 'backups' && backups.bucket) return findBucketConflicts(backups)
  return name === 'mail' && mail.host ? findMailConflicts(mail) : undefined
}

/** Consent is asked for by these words, so none of them can be missing. */
function findUnsaid({ sender, topics, frequency }: SettingValues['letters']): FieldProblems | undefined {
  const missing = Object.entries({ sender, topics, frequency }).filter(([, text]) => text === '')
  if (missing.length === 0) return undefined
  return Object.fromEntries(missing.map(([field]) => [field, 'Readers agree to this, so please fill it in.']))
}

async function findLocked(
  db: Db,
  name: SettingGroupName,
  { shop: { currency } }: SettingValues,
): Promise<FieldProblems> {
  if (name !== 'shop' || !(await isCurrencyFixed(db, currency))) return {}
  return { currency: `The shop has sold in it, so it cannot be changed any more: sums have one currency.` }
}

const addedToFiles =
  'You sell files, which consumers in the EU can buy, too: they must be shown prices with the tax in them.'

const unnamedSeller =
  'Your terms do not say who sells files. Put {digital_seller} into them, under Book, Legal pages, or reset them to the template.'

async function findTaxWarnings({ db, book }: SettingsShop): Promise<Pick<SettingsGroup, 'warnings'>> {
  const { is_shown, text } = (await book.get()).document.legal.pages.terms
  const warnings = {
    ...((await sellsFiles(db)) && { in_prices: { added: addedToFiles } }),
    ...(is_shown && !text.includes('{digital_seller}') && { digital_seller: { stripe: unnamedSeller } }),
  }
  return Object.keys(warnings).length > 0 ? { warnings } : {}
}

async function sellsFiles(db: Db): Promise<boolean> {
  return (await db.$count(products, and(isOnSale, products.is_digital, not(ships)))) > 0
}

function internalFields(
  name: SettingGroupName,
  { shop }: SettingValues,
  changed: Record<string, unknown>,
): Record<string, unknown> {
  if (name !== 'shop' || !('site_url' in changed)) return {}
  const former_site_urls = [...new Set([...shop.former_site_urls, shop.site_url])]
  return { former_site_urls, confirmed_site_url: changed['site_url'] }
}

/** The secrets that are for what was there before the change: removed, unless they are entered anew with it. */
function outdatedSecrets(name: SettingGroupName, changed: Record<string, unknown>): string[] {
  const isChanged = (fields: string[]) => fields.some((field) => field in changed)
  if (name === 'mail' && isChanged(['host', 'port', 'user'])) return ['password']
  return name === 'backups' && isChanged(['endpoint', 'access_key']) ? ['secret_key'] : []
}

/** Such a change may make applySettings compute all sums again: seconds, or more, where there are millions of orders. */
function mayTakeLong(changed: Record<string, unknown>): boolean {
  return 'time_zone' in changed || 'currency' in changed || 'secret_key' in changed
}

async function applySettings(tx: Transaction, before: SettingValues, next: SettingValues): Promise<void> {
  if (next.shop.time_zone !== before.shop.time_zone && !(await setDayZone(tx, next.shop.time_zone)))
    throw platformProblem('request.invalid', {
      fields: { time_zone: 'The database does not know this time zone. Please choose another one.' },
    })
  if (next.shop.currency !== before.shop.currency && !(await setCurrency(tx, next.shop.currency)))
    throw settingsProblem('settings.currency_fixed', {
      fields: { currency: 'It can be changed until the first sale.' },
    })
  const unfit = next.shop.currency !== before.shop.currency && (await fitAmounts(tx, next))
  if (unfit) throw platformProblem('request.invalid', { fields: { currency: unfit } })
  if (isLiveKey(next.payments.secret_key) && !isLiveKey(before.payments.secret_key))
    await stopCountingTests(tx)
}

export async function describeSettings(
  services: SettingsShop,
  name: SettingGroupName,
): Promise<SettingsGroup> {
  const { db, config, secret } = services
  const stored = await readSettings(db, secret)
  const { secrets, internal } = settingGroups[name]
  const hidden = new Set<string>([...secrets, ...internal])
  const merged = mergeSettings(config, stored)
  const values = Object.entries(merged[name])
  const group = stored(name)
  return {
    values: Object.fromEntries(values.filter(([field]) => !hidden.has(field))),
    secrets: Object.fromEntries(secrets.map((field) => [field, describeSecret(field, group.secrets)])),
    variables: variablesOf(config, name),
    locked: await findLocked(db, name, merged),
    ...(name === 'tax' && (await findTaxWarnings(services))),
    revision: group.revision,
    changed_at: group.changed_at?.toISOString() ?? null,
    changed_by: group.changed_by,
  }
}

function variablesOf(config: Services['config'], name: SettingGroupName): Record<string, string> {
  const names: Record<string, string | undefined> = settingGroups[name].variables
  return Object.fromEntries(
    Object.keys(overridesOf(config, name)).map((field) => [field, names[field] ?? field]),
  )
}

/** The length is in characters: the end of a shorter one would tell too much. */
const longSecret = 20

/** A passphrase is typed from paper: its end would be a part of it. Of the webhook the host alone is shown. */
const withoutEnd = new Set(['passphrase', 'former_passphrases', 'url', 'signing_secret', 'former_secret'])

function describeSecret(field: string, secrets: StoredGroup['secrets']): StoredSecret | null {
  const secret = secrets.get(field)
  if (!secret) return null
  const { text, set_at, set_by } = secret
  const showsEnd = text !== undefined && text.length >= longSecret && !withoutEnd.has(field)
  return {
    ends_in: showsEnd ? text.slice(-4) : null,
    is_readable: text !== undefined,
    set_at: set_at.toISOString(),
    set_by,
  }
}

type Fields = Record<string, unknown>

export type SettingsToSave = Pick<SettingsChange, 'revision' | 'values'> & {
  /** The shop itself asks for it, and has checked what no screen may set directly. */
  isChecked?: boolean
  /** What the log calls it. */
  action?: AuditAction
  within?: (tx: Transaction, before: SettingValues) => Promise<void>
}

/**
 * In force in this process when it returns, and in the others within a second. What is as it is wanted already is no
 * change.
 */
export async function saveSettings(
  services: SettingsShop,
  actor: Actor,
  name: SettingGroupName,
  { revision, values, isChecked = false, action = 'settings.changed', within }: SettingsToSave,
): Promise<void> {
  const { database, config, secret, clock } = services
  const fields = parseFields(name, values, isChecked)
  const fixed = variablesOf(config, name)
  if (Object.keys(fields).some((field) => field in fixed)) throw settingsProblem('settings.fixed')
  // This connection has no limits on the time of its queries.
  await using unlimited = mayTakeLong(fields)
    ? openDatabase(database.url, { max: 1, statementMs: 0 })
    : undefined
  await (unlimited?.db ?? database.db).transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('lectern settings'))`)
    await lockSecret(tx, secret)
    const stored = await readSettingsIn(tx, secret)
    if (stored(name).revision !== revision) throw settingsProblem('settings.changed')
    const change = prepareChange(config, stored, name, fields)
    const { before, next, detail } = change
    if (Object.keys(detail).length === 0) return
    await within?.(tx, before)
    await applySettings(tx, before, next)
    await store(tx, { name, secret, actor, now: clock() }, change)
    const { label: subject } = settingGroups[name]
    await recordAuditEvent(tx, actor, { action, subject, detail })
    if (name === 'backups') await services.notifyAdminsOfBackups(tx, services, { actor, before, next })
  })
  await services.settings.refresh()
}

/** Returns what a change would make of all settings. Throws as saving it would. */
export async function previewSettings(
  { db, config, secret }: SettingsShop,
  name: SettingGroupName,
  values: Record<string, unknown>,
): Promise<Pick<Change, 'before' | 'next'>> {
  return prepareChange(config, await readSettings(db, secret), name, parseFields(name, values, false))
}

function parseFields(name: SettingGroupName, values: Fields, isChecked: boolean): Fields {
  const isOneOf = (names: readonly string[], field: string) => names.includes(field)
  const { secrets, internal } = settingGroups[name]
  const all: Record<string, z.ZodType> = settingValues.shape[name].shape
  const open = Object.entries(all)
    .filter(([field]) => isChecked || !isOneOf(internal, field))
    .map(([field, schema]) => [field, isOneOf(secrets, field) ? schema.nullish() : schema.optional()])
  const { data, error } = z.strictObject(Object.fromEntries(open)).safeParse(values)
  if (error) throw platformProblem('request.invalid', { fields: readFieldProblems(error) })
  return data
}

type Change = {
  before: SettingValues
  next: SettingValues
  fields: Fields
  secrets: [field: string, text: string | null][]
  detail: Fields
}

function prepareChange(
  config: Config,
  stored: StoredSettings,
  name: SettingGroupName,
  input: Fields,
): Change {
  const group = stored(name)
  const before = mergeSettings(config, stored)
  const current: Fields = before[name]
  const isSecret = ([field]: [string, unknown]) => settingGroups[name].secrets.some((each) => each === field)
  const plain = Object.entries(input).filter(
    (each) => !isSecret(each) && !isDeepStrictEqual(current[each[0]], each[1]),
  )
  const changed = Object.fromEntries(plain)
  const outdated = outdatedSecrets(name, changed).map((field): [string, unknown] => [field, null])
  const secrets = Object.entries({ ...Object.fromEntries(outdated), ...input })
    .filter(isSecret)
    .map(([field, text]): [string, unknown] => [field, text === '' ? null : text])
    .filter(([field, text]) => (text === null ? group.secrets.has(field) : text !== current[field]))
    .map(([field, text]): [string, string | null] => [field, z.string().nullable().parse(text)])
  const fields = { ...group.fields, ...changed, ...internalFields(name, before, changed) }
  const next = mergeSettings(config, (each) =>
    each === name ? { ...group, fields, secrets: withSecrets(group, secrets) } : stored(each),
  )
  // The server that SMTP_URL names is chosen where the shop is started.
  const conflicts = name === 'mail' && config.smtpUrl ? undefined : findConflicts(name, before, next)
  if (conflicts) throw platformProblem('request.invalid', { fields: conflicts })
  const detail = {
    ...Object.fromEntries(plain.map(([field, to]) => [field, { from: current[field], to }])),
    ...Object.fromEntries(secrets.map(([field, text]) => [field, text === null ? 'removed' : 'set'])),
  }
  return { before, next, fields, secrets, detail }
}

function withSecrets(group: StoredGroup, changed: Change['secrets']): StoredGroup['secrets'] {
  const all = new Map(group.secrets)
  for (const [field, text] of changed) {
    if (text === null) all.delete(field)
    else all.set(field, { text, set_at: new Date(), set_by: '' })
  }
  return all
}

async function store(
  tx: Transaction,
  { name, secret, actor, now }: { name: SettingGroupName; secret: Secret; actor: Actor; now: Date },
  { fields, secrets }: Change,
): Promise<void> {
  await saveFields(tx, name, { fields, changed_at: now, changed_by: actor.email })
  for (const [field, text] of secrets) {
    const sealed = `${name}.${field}`
    if (text === null) await deleteSettingSecret(tx, sealed)
    else await saveSettingSecret(tx, secret, { name: sealed, text, set_at: now, set_by: actor.email })
  }
}
