import { z } from 'zod'
import { email, id, line, storable, text } from '../fields.ts'

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
