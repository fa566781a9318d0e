// The notice that something is told by mail. Where mail is not set up, it leads an admin to the mail.
import { api, responseOf } from './api.ts'
import type { Toast } from './toasts.tsx'

/** `kept`: what is said instead where the mail was not sent. */
export async function mailedNotice(notice: Toast, kept: Toast = notice): Promise<Toast> {
  const me = await responseOf(api.me.$get()).catch(() => undefined)
  return me?.reads_mails ? { ...kept, link: { label: 'Read it', to: '/admin/mails' } } : notice
}
