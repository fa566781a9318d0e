// Messages to the author, and what is answered.
import { z } from 'zod'
import { id, line, text, timestamp, cursor, pageOf, neighbors, email, storable } from '../fields.ts'
import { adminOrder } from '../orders/admin-orders.ts'

/** Days in which a deleted message can be brought back. */
export const trashDays = 30

export const messageStates = ['new', 'answered', 'done'] as const
export type MessageState = (typeof messageStates)[number]

export const message = z.object({
  id,
  name: z.string(),
  email: z.string(),
  subject: z.string(),
  message: z.string(),
  created_at: timestamp,
  is_read: z.boolean(),
  state: z.enum(messageStates),
})
export type Message = z.infer<typeof message>

export const messageListRequest = z.object({
  only: z.enum(['unread']).optional(),
  state: z.enum(messageStates).optional(),
  after: cursor.optional(),
})
export type MessageListRequest = z.infer<typeof messageListRequest>

/** Newest first. `unread` and `unanswered` are counted up to 100. */
export const messageList = pageOf(message).extend({
  unread: z.number().int(),
  unanswered: z.number().int(),
})

export const messageChange = z
  .strictObject({ is_read: z.boolean().optional(), is_done: z.boolean().optional() })
  .refine((change) => Object.keys(change).length > 0, 'Say what to change.')

const reply = z.object({
  id,
  body: z.string(),
  created_at: timestamp,
  /**
   * `unsent`: written while no mail server was set; sent once there is one. Null after 90 days, when the row of the mail
   * is deleted.
   */
  mail: z.enum(['waiting', 'sent', 'unsent', 'failed']).nullable(),
  /** The mail server's answer. */
  error: z.string().nullable(),
})
export type Reply = z.infer<typeof reply>

const earlierMessage = message.pick({ id: true, subject: true, created_at: true, state: true })

const orderReasons = ['order_number', 'other_address', 'same_name', 'same_day', 'similar_address'] as const
/** `reasons` say why it may be meant. None of them is a proof. */
const possibleOrder = adminOrder.extend({ reasons: z.array(z.enum(orderReasons)) })
export type PossibleOrder = z.infer<typeof possibleOrder>

export const messageDetail = message.extend({
  replies: z.array(reply),
  /** Messages of the same address, newest first. */
  others: z.array(earlierMessage),
  user: z.object({ user_id: id, display_name: z.string().nullable() }).nullable(),
  orders: z.array(adminOrder),
  /** Orders under other addresses that may be the writer's, who has none. */
  possible_orders: z.array(possibleOrder),
  sends_mail: z.boolean(),
  neighbors,
})
export type MessageDetail = z.infer<typeof messageDetail>

/** The id is the client's, so that a repeated call writes one reply. */
export const replyParams = z.object({ id, reply_id: id })
export const replyRequest = z.strictObject({ body: text(10_000) })

export const maxSnippets = 20
export const snippetRequest = z.strictObject({ title: line(80), body: text(5000) })
export const snippet = z.object({ id, title: z.string(), body: z.string() })
export type Snippet = z.infer<typeof snippet>
export const snippetList = z.object({ items: z.array(snippet) })

export const contactMessage = z.strictObject({
  /** Made by the form: a message that is sent again, because its response was lost, arrives once. */
  key: id.optional(),
  name: line(200),
  email,
  subject: line(300),
  message: text(10_000),
  /** A field no person sees: whatever fills it in is a robot. */
  website: storable.max(500).optional(),
})
