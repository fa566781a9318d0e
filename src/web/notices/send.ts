// Calls of the API, and the notices of what has failed. The words of a refusal come from the server.
import { siteTexts } from '#words/site.ts'
import type { ProblemDocument } from '#contract/problems.ts'
import { textIn, toObject, type JsonObject } from '../page/page-state.ts'
import { accessToken, renewSession, signOut, signOutSignal } from '../session/session.ts'
import type { Toast } from './toasts.tsx'

export class ProblemError extends Error {
  readonly status: number
  readonly code: string
  readonly fields: Record<string, string> | undefined
  readonly isAfterSignOut: boolean

  constructor(
    problem: Pick<ProblemDocument, 'status' | 'code' | 'detail' | 'fields'>,
    { isAfterSignOut = false } = {},
  ) {
    super(problem.detail)
    this.name = 'ProblemError'
    this.status = problem.status
    this.code = problem.code
    this.fields = problem.fields
    this.isAfterSignOut = isAfterSignOut
  }
}

/** Stops a user's reading once they sign out: it would be refused. */
export async function send(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const signedOut = signOutSignal()
  const headers = new Headers(init?.headers)
  const token = await accessToken()
  if (token) headers.set('authorization', `Bearer ${token}`)
  const isRead = (init?.method ?? 'GET') === 'GET'
  const request = { ...init, headers }
  const fetchOnce = () =>
    token && isRead ? fetchUnlessAborted(signedOut, input, request) : fetch(input, request)
  const first = await fetchOnce()
  const response = (await isLate(first)) ? await fetchOnce() : first
  if (response.ok) return response
  // The server has ended this session; a token that is merely old was renewed before.
  if (response.status === 401 && token) await signOut()
  const problem = toObject(await response.json().catch(() => undefined))
  // A second factor that this browser has not heard of: renewed, the session says that its code is owed.
  if (problem['code'] === 'auth.insufficient_aal') await renewSession()
  throw new ProblemError(
    {
      status: response.status,
      code: textIn(problem, 'code') ?? 'server.bug',
      detail: textIn(problem, 'detail') ?? siteTexts.unexpected,
      fields: fieldsIn(problem),
    },
    { isAfterSignOut: signedOut.aborted },
  )
}

/**
 * True where a file could not be read in time, and nothing else was done: the shop goes on reading, and the repeat gets what
 * was read. Returns when it is time for that.
 */
async function isLate(response: Response): Promise<boolean> {
  if (response.status !== 503) return false
  const problem = toObject(
    await response
      .clone()
      .json()
      .catch(() => undefined),
  )
  if (problem['code'] !== 'uploads.timed_out') return false
  const seconds = Number(response.headers.get('retry-after'))
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
  return true
}

/** Waits only until the response begins: one that is read already is read to its end. Throws what a late refusal would be. */
async function fetchUnlessAborted(
  signal: AbortSignal,
  input: RequestInfo | URL,
  request: RequestInit,
): Promise<Response> {
  const call = new AbortController()
  const abort = () => call.abort()
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort)
  try {
    return await fetch(input, { ...request, signal: call.signal })
  } catch (error) {
    if (!signal.aborted) throw error
    const unanswered = { status: 401, code: 'access.signed_out', detail: siteTexts.youSignedOut }
    throw new ProblemError(unanswered, { isAfterSignOut: true })
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

function fieldsIn(problem: JsonObject): Record<string, string> | undefined {
  if (!problem['fields']) return undefined
  const fields = toObject(problem['fields'])
  return Object.fromEntries(Object.keys(fields).map((name) => [name, textIn(fields, name) ?? '']))
}

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

/**
 * The server's message where it gave one; the text of a bug's response, or of a proxy's, is not for users. A browser rejects
 * with a TypeError where no response came.
 */
export function failure(title: string, error: unknown, unexpected?: string): Toast {
  if (isOffline(error)) return { title, description: siteTexts.offline, destructive: true }
  const hasMessage = error instanceof ProblemError && error.code !== 'server.bug'
  const otherwise = error instanceof TypeError ? siteTexts.unreachable : siteTexts.unexpected
  return { title, description: hasMessage ? error.message : (unexpected ?? otherwise), destructive: true }
}
