import { z } from 'zod'
import { email, line, storable, text } from '../fields.ts'

export const contactMessage = z.strictObject({
  name: line(200),
  email,
  subject: line(300),
  message: text(10_000),
  /** A field no person sees: whatever fills it in is a robot. */
  website: storable.max(500).optional(),
})
