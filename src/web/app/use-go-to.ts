import { useCallback } from 'react'
import { useNavigate } from 'react-router'
import { isAppPath } from '#contract/paths.ts'
import { carryNotice } from '../carried-notice.ts'

/** In the place of the present page: by the router within the app, else as a document. */
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
