// The items that need the author’s attention, and the requests that resolve or dismiss them.
import { z } from 'zod'
import { verdict } from '../checks.ts'
import { id, text, timestamp, cursor, pageOf, wholeCents } from '../fields.ts'
import { refundRight, purchase, waitingReasons } from '../orders/purchases.ts'
import { dismissableKinds } from './dismissable-kinds.ts'

export const dismissableKind = z.enum(dismissableKinds)

export const attentionId = z.string().regex(/^[\w-]{1,255}$/, 'This is no id.')

/** Rights that the author cannot refuse. */
const binding = refundRight.exclude(['request'])

const attentionPurchase = z.object({
  purchase_id: id,
  number: z.number().int(),
  /** Null where the buyer gave an address only, and the shop knows of no payment. */
  user_id: id.nullable(),
  email: z.string(),
  product_name: z.string(),
  amount: z.number(),
  currency: z.string(),
  is_test: z.boolean(),
})

const common = {
  id,
  /** The deadline for the response, of a dispute. */
  since: timestamp,
  reason: z.string(),
  stripe_url: z.string().nullable(),
}

/** The words of a declaration on the page, which needs no proof. */
const declaration = z.object({
  name: z.string(),
  email: z.string(),
  order_number: z.number().int().nullable(),
  ordered: z.string(),
})

const declaredOrder = attentionPurchase.omit({ user_id: true }).extend({
  binding: binding.nullable(),
})

export const unmatchedShown = 100

/** The fields of each kind that the database has. */
export const itemFields = {
  withdrawal: attentionPurchase.extend({
    words: z.string(),
    binding: binding.nullable(),
    waits_for: z.enum(waitingReasons),
    /** The right covers the paper of a bundle alone: a part settles it. */
    is_paper_alone: z.boolean(),
  }),
  unproven_withdrawal: declaration.extend({ orders: z.array(declaredOrder) }),
  /** Those that fit no order: the newest of them. */
  unmatched_withdrawals: z.object({
    count: z.number().int(),
    declarations: z.array(declaration.extend({ declared_at: timestamp })),
  }),
  outage: z.object({
    people: z.number().int(),
    /** Accounts that still exist, 200 at most. */
    emails: z.array(z.string()),
  }),
  dispute: attentionPurchase,
  held: attentionPurchase.extend({ is_going_back: z.boolean() }),
  refund: attentionPurchase,
  code: z.object({ code: z.string() }),
  event: z.object({ type: z.string() }),
  mail: z.object({
    subject: z.string(),
    recipient: z.string(),
    attempts: z.number().int(),
    purchase_id: id.nullable(),
  }),
  backup: z.object({ run: z.enum(['backup', 'rehearsal']) }),
  lost_file: z.object({ file_name: z.string() }),
}

const attentionItem = z.discriminatedUnion('kind', [
  itemFields.withdrawal.extend({ ...common, kind: z.literal('withdrawal') }),
  itemFields.unproven_withdrawal.extend({ ...common, kind: z.literal('unproven_withdrawal') }),
  itemFields.unmatched_withdrawals.extend({
    ...common,
    kind: z.literal('unmatched_withdrawals'),
    id: z.string(),
  }),
  itemFields.outage.extend({ ...common, kind: z.literal('outage') }),
  /** The bank only asks in an inquiry: no money was taken. */
  itemFields.dispute.extend({ ...common, kind: z.literal('dispute'), is_inquiry: z.boolean() }),
  itemFields.held.extend({
    ...common,
    kind: z.literal('held'),
    paid: z.object({ total: z.number(), currency: z.string() }).nullable(),
  }),
  itemFields.refund.extend({ ...common, kind: z.literal('refund') }),
  itemFields.refund.extend({ ...common, kind: z.literal('refund_failed'), id: z.string() }),
  itemFields.code.extend({ ...common, kind: z.literal('code') }),
  itemFields.event.extend({ ...common, kind: z.literal('event'), id: z.string() }),
  itemFields.mail.extend({ ...common, kind: z.literal('mail') }),
  itemFields.backup.extend({ ...common, kind: z.literal('backup'), place: z.string() }),
  itemFields.lost_file.extend({
    ...common,
    kind: z.literal('lost_file'),
    product: z.object({ id, name: z.string() }),
  }),
])
export type AttentionItem = z.infer<typeof attentionItem>
export type AttentionItemOf<Kind extends AttentionItem['kind']> = Extract<AttentionItem, { kind: Kind }>

/** Some or all payments are impossible until the author corrects it; then it disappears by itself. */
const paymentFault = z.object({
  kind: z.enum(['key', 'permission', 'product', 'tax', 'price', 'webhook', 'copy']),
  /** The call that is not permitted, or the address of a copy. */
  about: z.string().nullable(),
  product: z.object({ id, name: z.string() }).nullable(),
  since: timestamp.nullable(),
  check: verdict,
})
export type PaymentFault = z.infer<typeof paymentFault>

export const attentionList = pageOf(attentionItem).extend({ faults: z.array(paymentFault) })
export type AttentionList = z.infer<typeof attentionList>

export const attentionRequest = z.object({ after: cursor.optional() })
export type AttentionRequest = z.infer<typeof attentionRequest>

export const attentionCount = z.object({
  payments: z.enum(['none', 'test', 'live']),
  count: z.number().int(),
  has_backup_problem: z.boolean(),
})
export type AttentionCount = z.infer<typeof attentionCount>

export const dismissal = z.strictObject({ note: text(1000) })

export const dismissedAcceptance = z.strictObject({
  current_password: z.string().max(200).optional(),
})

const count = z.number().int()

/** The price that a product is about to get. */
export const newPrice = z.object({ price: z.coerce.number().pipe(wholeCents) })

/** Checkouts of a product that are open at another price. */
export const openCheckouts = z.object({ count })

/** A product whose price before can still be paid, as its checkouts could not be ended. */
export const leftAtOldPrice = z.object({ product_id: id, name: z.string(), count })
export type LeftAtOldPrice = z.infer<typeof leftAtOldPrice>

export const maxRebuiltShown = 100

export const rebuiltPurchases = z.object({
  is_searching: z.boolean(),
  count: z.number(),
  items: z.array(
    purchase
      .pick({ id: true, number: true, amount: true, currency: true, status: true, created_at: true })
      .extend({
        email: z.string(),
        product_name: z.string(),
        is_test: z.boolean(),
      }),
  ),
})
export type RebuiltPurchases = z.output<typeof rebuiltPurchases>
