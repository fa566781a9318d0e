// The notices of what has failed. The words of a refusal come from the server.
import { siteTexts } from '#words/site.ts'
import { ProblemError } from './send.ts'
import type { Toast } from './toasts.tsx'

export function isDisconnected(): boolean {
  return 'onLine' in navigator && !navigator.onLine
}

export function isOffline(error: unknown): boolean {
  return !(error instanceof ProblemError) && isDisconnected()
}

export function loadFailure(notice: Toast, error: unknown): Toast {
  const failed = { ...notice, destructive: true }
  if (isOffline(error)) return { ...failed, description: siteTexts.offline }
  const isForeseen = error instanceof ProblemError || error instanceof TypeError
  return isForeseen ? failed : { ...failed, description: siteTexts.unexpected }
}

/** The server's message where it gave one; the text of a bug's response, or of a proxy's, is not for users. */
export function failure(title: string, error: unknown, unexpected: string = siteTexts.unexpected): Toast {
  if (isOffline(error)) return { title, description: siteTexts.offline, destructive: true }
  const hasMessage = error instanceof ProblemError && error.code !== 'server.bug'
  return { title, description: hasMessage ? error.message : unexpected, destructive: true }
}
