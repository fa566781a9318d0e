import { isDeepStrictEqual } from 'node:util'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { readFieldProblems } from '#contract/field-problems.ts'
import { openDatabase, type Transaction } from '#platform/db/client.ts'
import type { Secret } from '#platform/secret.ts'
import type { Config, SettingValues } from '../../config.ts'
import { platformProblem } from '#platform/problem.ts'
import { operationProblem } from './problem.ts'
import type { Services } from '#platform/services.ts'
import { lockSecret } from '#platform/secrets.ts'
import { deleteSettingSecret, saveSettingSecret } from '#platform/setting-secrets.ts'
import { recordAuditEvent, type Actor } from '#platform/audit-log.ts'
import { settingGroups, settingValues, type SettingGroupName } from '#contract/operations/setting-groups.ts'
import type { SettingsChange } from '#contract/operations/settings.ts'
import { variablesOf } from './describe-settings.ts'
import {
  applySettings,
  findConflicts,
  internalFields,
  mayTakeLong,
  outdatedSecrets,
} from './setting-rules.ts'
import { settings } from '#tables/settings.ts'
import {
  mergeSettings,
  readSettingsIn,
  type StoredGroup,
  type StoredSettings,
} from '#platform/stored-settings.ts'

type Needs = Pick<Services, 'database' | 'config' | 'secrets' | 'settings' | 'clock'>
type Fields = Record<string, unknown>

export type SettingsToSave = Pick<SettingsChange, 'revision' | 'values'> & {
  /** The shop itself asks for it, and has checked what no screen may set directly. */
  isChecked?: boolean
  within?: (tx: Transaction, before: SettingValues) => Promise<void>
}

/**
 * In force in this process when it returns, and in the others within a second. What is as it is wanted already is no
 * change.
 */
export async function saveSettings(
  services: Needs,
  actor: Actor,
  name: SettingGroupName,
  { revision, values, isChecked = false, within }: SettingsToSave,
): Promise<void> {
  const { database, config, secrets, clock } = services
  const given = parseFields(name, values, isChecked)
  const fixed = variablesOf(config, name)
  if (Object.keys(given).some((field) => field in fixed)) throw operationProblem('settings.fixed')
  // Without the limits of time that queries have.
  await using unlimited = mayTakeLong(given)
    ? openDatabase(database.url, { max: 1, statementMs: 0 })
    : undefined
  await (unlimited?.db ?? database.db).transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('lectern settings'))`)
    const secret = await lockSecret(tx, secrets)
    const stored = await readSettingsIn(tx, secrets)
    if (stored(name).revision !== revision) throw operationProblem('settings.changed')
    const change = prepareChange(config, stored, name, given)
    const { before, next, detail } = change
    if (Object.keys(detail).length === 0) return
    await within?.(tx, before)
    await applySettings(tx, before, next)
    await store(tx, { name, secret, actor, now: clock() }, change)
    const { label: subject } = settingGroups[name]
    await recordAuditEvent(tx, actor, { action: 'settings.changed', subject, detail })
  })
  await services.settings.refresh()
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
  given: Fields,
): Change {
  const group = stored(name)
  const before = mergeSettings(config, stored)
  const current: Fields = before[name]
  const isSecret = ([field]: [string, unknown]) => settingGroups[name].secrets.some((each) => each === field)
  const plain = Object.entries(given).filter(
    (each) => !isSecret(each) && !isDeepStrictEqual(current[each[0]], each[1]),
  )
  const changed = Object.fromEntries(plain)
  const outdated = outdatedSecrets(name, changed).map((field): [string, unknown] => [field, null])
  const secrets = Object.entries({ ...Object.fromEntries(outdated), ...given })
    .filter(isSecret)
    .filter(([field, text]) => (text === null ? group.secrets.has(field) : text !== current[field]))
    .map(([field, text]): [string, string | null] => [field, z.string().nullable().parse(text)])
  const fields = { ...group.fields, ...changed, ...internalFields(name, before, changed) }
  const next = mergeSettings(config, (each) =>
    each === name ? { ...group, fields, secrets: withSecrets(group, secrets) } : stored(each),
  )
  const conflicts = findConflicts(name, next)
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
  const changed = { fields, changed_at: now, changed_by: actor.email }
  await tx
    .insert(settings)
    .values({ name, revision: 1, ...changed })
    .onConflictDoUpdate({
      target: settings.name,
      set: { ...changed, revision: sql`${settings.revision} + 1` },
    })
  for (const [field, text] of secrets) {
    const sealed = `${name}.${field}`
    if (text === null) await deleteSettingSecret(tx, sealed)
    else await saveSettingSecret(tx, secret, { name: sealed, text, set_at: now, set_by: actor.email })
  }
}
