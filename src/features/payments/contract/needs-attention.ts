// What needs the author's attention: disputes, held payments, buyers who want their money back, refused and failed refunds,
// lost events, failed mails, times in which nobody could pay, failing backups, and lost files.
import { z } from 'zod'
import { id, text, timestamp } from '#platform/contract/fields.ts'
import { bindings } from '../../withdrawals/contract/withdrawals.ts'
import { cursor, pageOf } from '#platform/contract/paging.ts'

/** What the author can dismiss; a dispute ends when the bank says so, backups and files when they are there again. */
export const dismissableKind = z.enum(['held', 'refund', 'refund_failed', 'event', 'mail', 'outage'])
export type DismissableKind = z.infer<typeof dismissableKind>

/** An event's id is the provider's; all others are ours. */
export const needId = z.string().regex(/^[\w-]{1,255}$/, 'This is no id.')

const about = z.object({
  purchase_id: id,
  /** The order number. */
  number: z.number().int(),
  user_id: id,
  email: z.string(),
  product_name: z.string(),
  /** Of `amount`. */
  currency: z.string(),
})
const common = {
  /** When it came; of a dispute, the deadline for the response. */
  since: timestamp,
  /** Why it waits, in plain words. */
  reason: z.string(),
  /** Where the provider shows it; null where there is nothing to show. */
  stripe_url: z.string().nullable(),
}

const need = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('withdrawal'),
    /** The purchase's. */
    id,
    ...common,
    ...about.shape,
    /** That is to go back. */
    amount: z.number(),
    /** What the buyer said; it may be empty. */
    words: z.string(),
    /** What forbids the author to refuse; null where refusing is allowed. */
    binding: z.enum(bindings).nullable(),
  }),
  z.object({
    kind: z.literal('outage'),
    id,
    ...common,
    people: z.number().int(),
    /** Of those whose address is known, no more than 200. */
    emails: z.array(z.string()),
  }),
  z.object({
    kind: z.literal('dispute'),
    id,
    ...common,
    ...about.shape,
    /** The bank only asks: no money was taken. */
    is_inquiry: z.boolean(),
    amount: z.number(),
  }),
  z.object({
    kind: z.literal('held'),
    id,
    ...common,
    ...about.shape,
    /** What the purchase asks for. */
    amount: z.number(),
    /** What was paid, in its own currency; null when nothing was, as far as is known. */
    paid: z.object({ total: z.number(), currency: z.string() }).nullable(),
    /** Its refund was asked for and is on its way. */
    is_going_back: z.boolean(),
  }),
  z.object({
    kind: z.literal('refund'),
    id,
    ...common,
    ...about.shape,
    amount: z.number(),
  }),
  z.object({
    kind: z.literal('refund_failed'),
    /** The provider's. */
    id: z.string(),
    ...common,
    ...about.shape,
    amount: z.number(),
  }),
  z.object({ kind: z.literal('code'), id, ...common, code: z.string() }),
  z.object({ kind: z.literal('event'), id: z.string(), ...common, type: z.string() }),
  z.object({
    kind: z.literal('mail'),
    id,
    ...common,
    subject: z.string(),
    recipient: z.string(),
    attempts: z.number().int(),
    purchase_id: id.nullable(),
  }),
  z.object({
    kind: z.literal('backup'),
    id,
    ...common,
    /** What fails there. */
    run: z.enum(['backup', 'rehearsal']),
    /** A folder, or a bucket without its settings. */
    place: z.string(),
  }),
  z.object({
    kind: z.literal('lost_file'),
    id,
    ...common,
    product: z.object({ id, name: z.string() }),
    /** As a reader would save it, with its extension. */
    file_name: z.string(),
  }),
])
export type Need = z.infer<typeof need>
export type NeedOf<Kind extends Need['kind']> = Extract<Need, { kind: Kind }>

/** Some or all payments are impossible until the author has put it right; then it disappears by itself. */
const paymentFault = z.object({
  kind: z.enum(['key', 'permission', 'product', 'tax', 'price', 'webhook', 'copy']),
  /** The call that is not permitted, as Stripe's libraries name it; the address of a copy. */
  about: z.string().nullable(),
  product: z.object({ id, name: z.string() }).nullable(),
  /** Stripe's own, wherever it has said any. */
  words: z.string(),
  /** Null where it is not known. */
  since: timestamp.nullable(),
})
export type PaymentFault = z.infer<typeof paymentFault>

/** Newest first; `faults` come before all, on each page. */
export const attentionList = pageOf(need).extend({ faults: z.array(paymentFault) })
export type AttentionList = z.infer<typeof attentionList>

export const attentionRequest = z.object({ after: cursor.optional() })
export type AttentionRequest = z.infer<typeof attentionRequest>

export const attentionCount = z.object({
  payments: z.enum(['none', 'test', 'live']),
  /** Counted up to 100. */
  count: z.number().int(),
  /** A backup or its rehearsal fails. */
  has_backup_problem: z.boolean(),
})
export type AttentionCount = z.infer<typeof attentionCount>

export const dismissal = z.strictObject({ note: text(1000) })

export const dismissedAcceptance = z.strictObject({
  /** The admin's own password; not needed in the ten minutes after a sign-in. */
  current_password: z.string().max(200).optional(),
})
