// What the screens of the admin area ask of the server.
import { hc, type ClientResponse } from 'hono/client'
import type { Hono } from 'hono'
import { data, redirect, useRevalidator } from 'react-router'
import { ProblemError, responseOf, searchQuery, type Accepted } from '../../api.ts'
import { loadFailure } from '../../copy.ts'
import { storedSession } from '../../session.ts'
import { toast } from '../../toasts.tsx'
import { sendWithProof } from '../proof-dialog.tsx'
import { useEffect, useState } from 'react'

/** A call whose proof was not given throws the refusal. */
// oxlint-disable-next-line typescript/no-explicit-any -- hc's own bound
export function adminClient<Part extends Hono<any, any, any>>(proofAction = 'Continue') {
  return hc<Part>('/api/admin', { fetch: sendWithProof(proofAction) })
}

/**
 * Undefined after a failure, which the view shows. Throws a 404 for what does not exist and a 422 for an unknown
 * query, for the view's error boundary.
 */
export async function load<Data>(failed: string, read: () => Promise<Data>): Promise<Data | undefined> {
  if (!storedSession()) throw redirect(signInPath())
  try {
    return await read()
  } catch (error) {
    leaveIfRefused(error)
    if (error instanceof ProblemError && (error.status === 404 || error.status === 422))
      throw data(null, { status: error.status })
    toast(loadFailure({ title: 'Error', description: failed }, error))
    return undefined
  }
}

/** One page of a list, as the address narrows it. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- as searchQuery
export function loadPage<Query, Sent extends ClientResponse<unknown>>(
  failed: string,
  { url }: Request,
  call: (query: Query) => Promise<Sent>,
): Promise<Accepted<Sent> | undefined> {
  return load(failed, () => responseOf(call(searchQuery<Query>(new URL(url).searchParams))))
}

export function leaveIfRefused(error: unknown): void {
  if (!(error instanceof ProblemError)) return
  if (error.status === 401 && error.isAfterSignOut) throw redirect('/')
  if (error.status === 401) {
    toast({ title: 'Signed Out', description: 'Your session has ended. Please sign in again.' })
    throw redirect(signInPath())
  }
  if (error.code === 'access.forbidden') throw deny()
  if (error.code === 'access.factor_needed') {
    toast({ title: 'A second factor is needed', description: error.message, destructive: true })
    throw redirect('/account')
  }
}

export function deny(): Response {
  toast({ title: 'Access Denied', description: "You don't have admin privileges", destructive: true })
  return redirect('/dashboard')
}

export function signInPath(): string {
  return `/auth?next=${encodeURIComponent(location.pathname + location.search)}`
}

/** While `isWanted`, the screen is loaded again this many milliseconds after the last response. */
export function useRefresh(isWanted: boolean, pauseMs: number): void {
  const { revalidate, state } = useRevalidator()
  useEffect(() => {
    if (!isWanted || state !== 'idle') return undefined
    const timer = setTimeout(() => void revalidate(), pauseMs)
    return () => clearTimeout(timer)
  }, [isWanted, pauseMs, revalidate, state])
}

// Loaded data stay on the screen when reloading fails, with the forms that are filled in.

export function useLastLoaded<Data>(data: Data | undefined): Data | undefined {
  const [last, setLast] = useState(data)
  if (data !== undefined && data !== last) setLast(data)
  return data ?? last
}
