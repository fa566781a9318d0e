import { useState } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import type { FormResult } from '../../use-action-form.ts'
import { adminAction } from './admin-action.ts'

type Run = (...call: Parameters<typeof adminAction>) => Promise<FormResult>

export function useAdminCall(): [isBusy: boolean, run: Run] {
  const { revalidate } = useRevalidator()
  const navigate = useNavigate()
  const [isBusy, setIsBusy] = useState(false)
  const run: Run = async (call, notices) => {
    setIsBusy(true)
    try {
      const result = await adminAction(call, notices)
      if (result.isSaved) await revalidate()
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
