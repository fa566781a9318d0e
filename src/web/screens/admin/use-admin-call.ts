import { useState } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import { ProblemError } from '../../api.ts'
import type { FormResult } from '../../use-action-form.ts'
import { adminAction, type CallNotices } from './admin-action.ts'

type Run = <Body>(call: () => Promise<Body>, notices: CallNotices<Body>) => Promise<FormResult>

/** For a call without a route's form: the screen is loaded again after it, unless it has something to show first. */
export function useAdminCall({ loadsAgain = true } = {}): [isBusy: boolean, run: Run] {
  const { revalidate } = useRevalidator()
  const navigate = useNavigate()
  const [isBusy, setIsBusy] = useState(false)
  const run: Run = async (call, notices) => {
    setIsBusy(true)
    let hasResponse = true
    const sent = () =>
      call().catch((error: unknown) => {
        hasResponse = error instanceof ProblemError
        throw error
      })
    try {
      const result = await adminAction(sent, notices)
      // A refusal may mean that another admin has changed what is shown.
      if (hasResponse && loadsAgain) await revalidate()
      return result
    } catch (redirect) {
      // The router follows redirects of actions only.
      const path = redirect instanceof Response && redirect.headers.get('location')
      if (!path) throw redirect
      await navigate(path)
      return { isSaved: false }
    } finally {
      setIsBusy(false)
    }
  }
  return [isBusy, run]
}
