import { useCallback } from 'react'
import { useNavigate } from 'react-router'
import type { FormResult } from '../form.ts'

/** For a call outside of a route's action: the router follows redirects that are thrown in actions only. */
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
