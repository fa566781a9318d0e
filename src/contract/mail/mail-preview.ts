// An email that the author is about to send, as its first reader gets it.
import { z } from 'zod'

export const mailPreview = z.object({
  subject: z.string(),
  text: z.string(),
  /** It shows the page of the email and sends it to the admin, for an hour. */
  token: z.string(),
})
export type MailPreview = z.output<typeof mailPreview>

/** A frame posts the token there: an email is too long for an address. */
export const mailPreviewPath = '/api/mail-previews'

export const mailPreviewRequest = z.strictObject({ token: z.string().max(60_000) })
