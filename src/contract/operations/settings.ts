import { z } from 'zod'
import { timestamp } from '../fields.ts'
import { settingGroupNames } from './setting-groups.ts'

export const settingGroupName = z.enum(settingGroupNames)

export const storedSecret = z.object({
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
  /** To be sent with a change: another admin's in between is not overwritten. */
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
