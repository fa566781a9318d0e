// How the admin area's views read: a failure shows a toast, and a user without the role is redirected.
import { data, redirect } from 'react-router'
import { ProblemError } from '../../api.ts'
import { loadFailure, notices } from '../../copy.ts'
import { storedSession } from '../../session.ts'
import { toast, type Toast } from '../../toasts.tsx'
import { adminNotices } from './notices.ts'

/**
 * Undefined when it could not be had; the view then says so, with a way to try again. Throws a 404 for what is not there
 * and a 422 for a query that the server does not know, to be shown by the view's error boundary.
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

/** Throws the way out when the session has ended or the role is gone. */
export function leaveIfRefused(error: unknown): void {
  if (!(error instanceof ProblemError)) return
  if (error.status === 401 && error.isAfterSignOut) throw redirect('/')
  if (error.status === 401) {
    toast(notices.sessionEnded)
    throw redirect(signInPath())
  }
  if (error.code === 'access.forbidden') throw deny()
}

/** Where a signed-in user who is no admin is redirected. */
export function deny(): Response {
  toast(adminNotices.accessDenied)
  return redirect('/dashboard')
}

/** Leads back to the view that was asked for. */
export function signInPath(): string {
  return `/auth?next=${encodeURIComponent(location.pathname + location.search)}`
}
