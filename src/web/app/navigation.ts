// The ways to other pages: by the router, and to those of the site.
import { useCallback } from 'react'
import { useNavigate } from 'react-router'
import { isAppPath } from '#contract/app-paths.ts'
import { carryNotice } from '../notices/stored-notice.ts'
import type { FormResult } from '../forms/form.ts'

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
