// Sends a message to the author.
import { api, ProblemError } from '../../api.ts'
import { toast } from '../../toasts.tsx'

/** `fields`: what the shop found wrong with each of them. */
export type MessageAnswer = { isSent: boolean; fields?: Record<string, string> | undefined }

export async function sendMessage(form: FormData): Promise<MessageAnswer> {
  const text = (name: string) => form.get(name) as string
  const message = {
    name: text('name'),
    email: text('email'),
    subject: text('subject'),
    message: text('message'),
    website: text('website') || undefined,
  }
  try {
    await api.contact.$post({ json: message })
  } catch (error) {
    toast({
      title: 'Failed to Send Message',
      description:
        'There was an error sending your message. Please try again or contact the author directly.',
      destructive: true,
    })
    return { isSent: false, fields: error instanceof ProblemError ? error.fields : undefined }
  }
  toast({
    title: 'Message Sent Successfully!',
    description: 'Thank you for your message. The author will get back to you within 2-3 business days.',
  })
  return { isSent: true }
}
