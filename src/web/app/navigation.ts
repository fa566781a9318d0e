// The ways to other pages: to the one that somebody was sent to sign in from, and by the router.
import { useCallback } from 'react'
import { useNavigate } from 'react-router'
import { isAppPath } from '#contract/app-paths.ts'
import { carryNotice } from '../notices/stored-notice.ts'
import type { FormResult } from '../forms/form.ts'

/** `?next=`, in mailed links `?redirect_to=`; a value that leads to another site becomes `/`. */
export function nextPath(search: string, name: 'next' | 'redirect_to' = 'next'): string {
  const next = new URLSearchParams(search).get(name) ?? '/'
  const here = 'https://shop.invalid'
  if (!next.startsWith('/') || !URL.canParse(next, here)) return '/'
  const { origin, pathname, search: query, hash } = new URL(next, here)
  // The URL is compared as the browser reads it: `/..//elsewhere.example` is a path here and would be a host there.
  return origin === here && !pathname.startsWith('//') ? pathname + query + hash : '/'
}

/** Replaces the present page: by the router within the app, else as a document. */
export function useGoTo(): (path: string) => void {
  const navigate = useNavigate()
  return useCallback(
    (path) => {
      if (isAppPath(new URL(path, location.href).pathname)) void navigate(path, { replace: true })
      else {
        carryNotice()
        location.replace(path)
      }
    },
    [navigate],
  )
}

/** Makes a call outside of a route's action: the router follows redirects that are thrown in actions only. */
export function useRedirect() {
  const navigate = useNavigate()
  return useCallback(
    async (call: () => Promise<FormResult>): Promise<FormResult> => {
      try {
        return await call()
      } catch (redirect) {
        const path = redirect instanceof Response && redirect.headers.get('location')
        if (!path) throw redirect
        await navigate(path)
        return { isSaved: false }
      }
    },
    [navigate],
  )
}
