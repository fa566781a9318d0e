// The webhook: what the shop sends to one receiver of the author's, and what the author sees of it.
import { z } from 'zod'
import { cursor, id, pageOf, timestamp } from '../fields.ts'

/** `webhook.test`: the author sends it by a press. */
export const webhookEvents = [
  'subscriber.confirmed',
  'subscriber.ended',
  'order.paid',
  'order.refunded',
  'webhook.test',
] as const
export type WebhookEvent = (typeof webhookEvents)[number]

/**
 * `dropped`: what it was to say need not be said any more, the webhook was removed or got another host, or nothing could be
 * sent for days.
 */
export const deliveryStatuses = ['waiting', 'delivered', 'dropped', 'failed'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

/** `gone`: the receiver answered 410. `restored`: the shop was restored from a backup. */
const switchedOffReasons = ['gone', 'restored'] as const

/**
 * The settings of the webhook, which a screen of its own changes. The address is a secret: who knows it can write to the
 * receiver.
 */
export const webhookSettings = z.object({
  /** Empty where there is none. */
  host: z.string(),
  switched_off: z.enum(switchedOffReasons).nullable(),
  url: z.string().optional(),
  signing_secret: z.string().optional(),
  /** It signs, too, for a day after it was renewed. */
  former_secret: z.string().optional(),
  renewed_at: timestamp.nullable(),
  is_public_only: z.boolean(),
})

/** `copy`: of the shop, which sends nothing. `locked`: another AUTH_SECRET has sealed the address. */
export const webhookState = z.enum(['none', 'on', 'copy', 'locked', ...switchedOffReasons])
export type WebhookState = z.infer<typeof webhookState>

export const webhook = z.object({
  state: webhookState,
  host: z.string(),
  changed_at: timestamp.nullable(),
  changed_by: z.string().nullable(),
  /** Until then the former secret signs, too. */
  former_secret_until: timestamp.nullable(),
})
export type Webhook = z.infer<typeof webhook>

const current_password = z.string().max(200).optional()

/** Without an address, the stored one is switched on again. */
export const webhookChange = z.strictObject({
  url: z
    .string()
    .trim()
    .min(1, 'Please enter the address.')
    .max(2000, 'This address is too long.')
    .optional(),
  current_password,
})

export const webhookProof = z.strictObject({ current_password })

/** The secret is shown once; null where it stays as it is. */
export const changedWebhook = webhook.extend({ signing_secret: z.string().nullable() })
export type ChangedWebhook = z.infer<typeof changedWebhook>

export const delivery = z.object({
  id,
  event: z.enum(webhookEvents),
  status: z.enum(deliveryStatuses),
  attempts: z.number().int(),
  /** What came of the last attempt, where it failed. */
  error: z.string().nullable(),
  created_at: timestamp,
  /** Null before the first attempt. */
  attempted_at: timestamp.nullable(),
})
export type Delivery = z.infer<typeof delivery>

export const deliveryQuery = z.object({ after: cursor.optional() })
export type DeliveryQuery = z.output<typeof deliveryQuery>

export const deliveryList = pageOf(delivery).extend({ webhook })
export type DeliveryList = z.infer<typeof deliveryList>
