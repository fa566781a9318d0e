import { z } from 'zod'
import { id, timestamp } from '#platform/contract/fields.ts'
import { cursor, pageOf } from '#platform/contract/paging.ts'

export const message = z.object({
  id,
  name: z.string(),
  email: z.string(),
  subject: z.string(),
  message: z.string(),
  created_at: timestamp,
  is_read: z.boolean(),
})
export type Message = z.infer<typeof message>

export const messageListRequest = z.object({ only: z.enum(['unread']).optional(), after: cursor.optional() })
export type MessageListRequest = z.infer<typeof messageListRequest>

/** Newest first. `unread` is counted up to 100. */
export const messageList = pageOf(message).extend({ unread: z.number().int() })

export const messageChange = z.strictObject({ is_read: z.boolean() })
