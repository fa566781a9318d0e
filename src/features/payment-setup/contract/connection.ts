// The connection to Stripe, as the admin area shows and changes it.
import { z } from 'zod'
import { id } from '#platform/contract/fields.ts'
import { saleMode } from '../../products/contract/sale-mode.ts'
import { storedSecret } from '../../settings/contract/settings.ts'

export const connection = z.object({
  mode: z.enum(['none', 'test', 'live']),
  sale_mode: saleMode,
  /** The environment has the keys: nothing can be changed here. */
  is_from_environment: z.boolean(),
  /** Null where it is not known: without a key, or with one of the environment. */
  account: z.object({ id: z.string(), name: z.string() }).nullable(),
  key: storedSecret.nullable(),
  /** Whether Stripe tells the shop of payments; otherwise the shop asks every minute. */
  has_webhook: z.boolean(),
  /** Stripe still reports to this address, which the shop had before; null where it does not. */
  former_webhook: z.string().nullable(),
  /** The newest test order that is paid for; null where there is none. */
  test_order: z
    .object({ id, number: z.number().int(), is_paid: z.boolean(), is_refunded: z.boolean() })
    .nullable(),
})
export type Connection = z.infer<typeof connection>

/** Of a key that is pasted with spaces. */
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

/** `site_url`: the address at which the copy runs, as the admin saw it. */
export const copyConfirmation = z.strictObject({
  site_url: z.string().max(200),
  current_password: z.string().max(200).optional(),
})

export const disconnectRequest = z.strictObject({ current_password: z.string().max(200).optional() })
