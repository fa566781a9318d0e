import { z } from 'zod'
import { timestamp, id } from '../fields.ts'
import { settingGroupNames } from './setting-groups.ts'
import { saleMode } from '../catalog/sale-mode.ts'

export const settingGroupName = z.enum(settingGroupNames)

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

export const connection = z.object({
  mode: z.enum(['none', 'test', 'live']),
  sale_mode: saleMode,
  is_from_environment: z.boolean(),
  account: z.object({ id: z.string(), name: z.string() }).nullable(),
  key: storedSecret.nullable(),
  /** Otherwise the shop asks every minute. */
  has_webhook: z.boolean(),
  former_webhook: z.string().nullable(),
  test_order: z
    .object({ id, number: z.number().int(), is_paid: z.boolean(), is_refunded: z.boolean() })
    .nullable(),
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
    }),
  current_password: z.string().max(200).optional(),
})

export const copyConfirmation = z.strictObject({
  site_url: z.string().max(200),
  current_password: z.string().max(200).optional(),
})

export const disconnectRequest = z.strictObject({ current_password: z.string().max(200).optional() })
