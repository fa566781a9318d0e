// A private page without a session: leads to the sign-in, also when it was ended in another tab.
import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useSession } from './session.ts'

export function useLeaveWhenSignedOut(signInPath: string): void {
  const isSignedOut = useSession() === undefined
  const { pathname } = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    // The address is ahead of the page when one has left already: whoever signs out goes home.
    const isHere = location.pathname === pathname
    if (isSignedOut && isHere) void navigate(signInPath, { replace: true })
  }, [isSignedOut, pathname, signInPath, navigate])
}
