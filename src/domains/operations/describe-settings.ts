// A group of settings as the admin area shows it: no secret is in it.
import type { Services } from '#platform/services.ts'
import type { SettingSecret } from '#platform/setting-secrets.ts'
import { settingGroups, type SettingGroupName } from '#contract/operations/setting-groups.ts'
import type { SettingsGroup, StoredSecret } from '#contract/operations/settings.ts'
import { findLocked } from './setting-rules.ts'
import { mergeSettings, overridesOf, readSettings } from '#platform/stored-settings.ts'

export async function describeSettings(
  { db, config, secrets: shopSecrets }: Pick<Services, 'db' | 'config' | 'secrets'>,
  name: SettingGroupName,
): Promise<SettingsGroup> {
  const stored = await readSettings(db, shopSecrets)
  const { secrets, internal } = settingGroups[name]
  const hidden = new Set<string>([...secrets, ...internal])
  const merged = mergeSettings(config, stored)
  const values = Object.entries(merged[name])
  const group = stored(name)
  return {
    values: Object.fromEntries(values.filter(([field]) => !hidden.has(field))),
    secrets: Object.fromEntries(secrets.map((field) => [field, describeSecret(group.secrets.get(field))])),
    variables: variablesOf(config, name),
    locked: await findLocked(db, name, merged),
    revision: group.revision,
    changed_at: group.changed_at?.toISOString() ?? null,
    changed_by: group.changed_by,
  }
}

export function variablesOf(config: Services['config'], name: SettingGroupName): Record<string, string> {
  const names: Record<string, string | undefined> = settingGroups[name].variables
  return Object.fromEntries(
    Object.keys(overridesOf(config, name)).map((field) => [field, names[field] ?? field]),
  )
}

/** In characters: of shorter ones the end would tell too much. */
const longSecret = 20

function describeSecret(secret: SettingSecret | undefined): StoredSecret | null {
  if (!secret) return null
  const { text, set_at, set_by } = secret
  return {
    ends_in: text !== undefined && text.length >= longSecret ? text.slice(-4) : null,
    is_readable: text !== undefined,
    set_at: set_at.toISOString(),
    set_by,
  }
}
