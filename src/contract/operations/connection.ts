import { z } from 'zod'
import { id } from '../fields.ts'
import { saleMode } from '../catalog/sale-mode.ts'
import { storedSecret } from './settings.ts'

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
