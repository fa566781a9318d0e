// The settings as the database has them, and the values that follow from them, the environment and the defaults.
import { sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db, Transaction } from './db/client.ts'
import type { Secret } from './secret.ts'
import type { Config, SettingValues } from '../config.ts'
import { readSettingSecrets, type SettingSecret } from './setting-secrets.ts'
import {
  settingGroupNames,
  settingGroups,
  settingValues,
  type SettingGroupName,
} from '#contract/settings/settings.ts'
import { settings } from '#tables/platform.ts'
import { isDeepStrictEqual } from 'node:util'
import { cached } from './cached.ts'
import type { Settings } from './settings.ts'
import type { Services } from './services.ts'

export type StoredGroup = {
  fields: Record<string, unknown>
  secrets: ReadonlyMap<string, SettingSecret>
  /** 0 where the group was never changed. */
  revision: number
  changed_at: Date | null
  changed_by: string | null
}

export type StoredSettings = (name: SettingGroupName) => StoredGroup

export function readSettings(db: Db, secret: Secret | undefined): Promise<StoredSettings> {
  return db.transaction((tx) => readSettingsIn(tx, secret), {
    isolationLevel: 'repeatable read',
    accessMode: 'read only',
  })
}

export async function readSettingsIn(tx: Transaction, secret: Secret | undefined): Promise<StoredSettings> {
  const rows = await tx.select().from(settings)
  const sealed = await readSettingSecrets(tx, secret)
  return (name) => {
    const row = rows.find((each) => each.name === name)
    const { fields = {}, revision = 0 } = row ?? {}
    // The shop itself has stored the row, at its first start.
    const { changed_at = null, changed_by = null } = revision > 0 && row ? row : {}
    const own = new Map<string, SettingSecret>()
    for (const field of settingGroups[name].secrets) {
      const stored = sealed.get(`${name}.${field}`)
      if (stored) own.set(field, stored)
    }
    return { fields, secrets: own, revision, changed_at, changed_by }
  }
}

type ChangedFields = Pick<typeof settings.$inferInsert, 'fields' | 'changed_at' | 'changed_by'>

/** Replaces the fields that the group has, under the next revision. */
export async function saveFields(
  tx: Transaction,
  name: SettingGroupName,
  changed: ChangedFields,
): Promise<void> {
  await tx
    .insert(settings)
    .values({ name, revision: 1, ...changed })
    .onConflictDoUpdate({
      target: settings.name,
      set: { ...changed, revision: sql`${settings.revision} + 1` },
    })
}

/** Adds to the fields that the group has, by the shop itself: no admin has changed anything, so the revision stays. */
export async function addFields(db: Db | Transaction, name: SettingGroupName, fields: object): Promise<void> {
  await db
    .insert(settings)
    .values({ name, fields: { ...fields }, revision: 0, changed_by: '' })
    .onConflictDoUpdate({
      target: settings.name,
      set: { fields: sql`${settings.fields} || excluded.fields` },
    })
}

export const nothingStored: StoredSettings = () => ({
  fields: {},
  secrets: new Map(),
  revision: 0,
  changed_at: null,
  changed_by: null,
})

type Defaults = Pick<Config, 'port'> & Partial<Pick<Config, 'adminEmail'>>

export function defaultSettings({ port, adminEmail = '' }: Defaults): SettingValues {
  const { shop, mail, author_emails, letters, webhook, shipping, tax, payments, backups } = settingGroups
  return {
    shop: { ...shop.defaults, site_url: `http://localhost:${port}` },
    mail: { ...mail.defaults, from_address: adminEmail },
    author_emails: author_emails.defaults,
    letters: letters.defaults,
    webhook: webhook.defaults,
    shipping: shipping.defaults,
    tax: tax.defaults,
    payments: payments.defaults,
    backups: backups.defaults,
  }
}

/** The environment wins; what was never set has its default. */
export function mergeSettings(config: Config, stored: StoredSettings): SettingValues {
  const defaults = defaultSettings(config)
  const groups = settingGroupNames.map((name) => {
    return [name, { ...defaults[name], ...readable(name, stored(name)), ...overridesOf(config, name) }]
  })
  return settingValues.parse(Object.fromEntries(groups))
}

export function overridesOf({ overrides }: Config, name: SettingGroupName): Record<string, unknown> {
  return Object.fromEntries(Object.entries(overrides[name]).filter(([, value]) => value !== undefined))
}

/** Leaves out what another version of the shop has stored and this one does not know. */
function readable(name: SettingGroupName, { fields, secrets }: StoredGroup): Record<string, unknown> {
  const schemas: Record<string, z.ZodType> = settingValues.shape[name].shape
  const opened = Array.from(secrets, ([field, { text }]): [string, unknown] => [field, text])
  const isReadable = ([field, value]: [string, unknown]) =>
    value !== undefined && schemas[field]?.safeParse(value).success
  return Object.fromEntries([...Object.entries(fields), ...opened].filter(isReadable))
}

type Dependencies = Pick<Services, 'config' | 'db' | 'secret' | 'log'>

export async function openSettings({ config, db, secret, log }: Dependencies): Promise<Settings> {
  const listeners = new Set<() => void>()
  let isStale = false
  const merged = cached(
    async () => {
      const values = mergeSettings(config, await readSettings(db, secret))
      isStale = false
      return values
    },
    (error) => {
      if (!isStale)
        log.warn({ err: error }, 'the settings could not be read; the last known ones are in force')
      isStale = true
    },
  )
  let current = await merged.get()
  let isRefreshing = false

  async function refresh(): Promise<void> {
    merged.drop()
    const next = await merged.get()
    if (isDeepStrictEqual(next, current)) return
    current = next
    for (const listener of listeners) listener()
  }

  return {
    get() {
      if (isStale && !isRefreshing) {
        isRefreshing = true
        void refresh().finally(() => (isRefreshing = false))
      }
      return current
    },
    onChange: (listener) => void listeners.add(listener),
    refresh,
  }
}
