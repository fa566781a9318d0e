import { data, redirect } from 'react-router'
import { ProblemError } from '../../api.ts'
import { loadFailure } from '../../copy.ts'
import { storedSession } from '../../session.ts'
import { toast, type Toast } from '../../toasts.tsx'
import { adminNotices } from './notices.ts'

/**
 * Undefined after a failure, which the view shows. Throws a 404 for what does not exist and a 422 for an unknown
 * query, for the view's error boundary.
 */
export async function load<Data>(notice: Toast, read: () => Promise<Data>): Promise<Data | undefined> {
  if (!storedSession()) throw redirect(signInPath())
  try {
    return await read()
  } catch (error) {
    leaveIfRefused(error)
    if (error instanceof ProblemError && (error.status === 404 || error.status === 422))
      throw data(null, { status: error.status })
    toast(loadFailure(notice, error))
    return undefined
  }
}

export function leaveIfRefused(error: unknown): void {
  if (!(error instanceof ProblemError)) return
  if (error.status === 401 && error.isAfterSignOut) throw redirect('/')
  if (error.status === 401) {
    toast(adminNotices.sessionEnded)
    throw redirect(signInPath())
  }
  if (error.code === 'access.forbidden') throw deny()
}

export function deny(): Response {
  toast(adminNotices.accessDenied)
  return redirect('/dashboard')
}

export function signInPath(): string {
  return `/auth?next=${encodeURIComponent(location.pathname + location.search)}`
}
