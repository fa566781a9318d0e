// Moves of a purchase to another address, and the objection of the former address.
import { z } from 'zod'
import { email, id, line, text, timestamp } from '../fields.ts'

export const moveRequest = z.strictObject({ email, reason: line(300) })
export type MoveRequest = z.infer<typeof moveRequest>

export const purchaseMove = z.object({
  id,
  from: z.string(),
  to: z.string(),
  reason: z.string(),
  created_at: timestamp,
  objected_at: timestamp.nullable(),
})

export const objection = z.strictObject({
  token: z.string().max(100),
  message: text(2000).or(z.literal('')),
})
