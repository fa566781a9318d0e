// Adds to a notice about an email the link to it, for an admin whose shop stores emails instead of sending them.
import { controlsTexts } from '#words/site.ts'
import { api, responseOf } from '../api.ts'
import { storedSession } from '../session/session.ts'
import type { Toast } from './toasts.tsx'

export async function mailedNotice(notice: Toast, unsent: Toast = notice): Promise<Toast> {
  const me = storedSession() && (await responseOf(api.me.$get()).catch(() => undefined))
  return me?.reads_mails ? { ...unsent, link: { label: controlsTexts.readIt, to: '/admin/mails' } } : notice
}
