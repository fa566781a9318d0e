// The hooks of pages that need a sign-in.
import { useEffect, useRef, useState } from 'react'
import { useNavigate, useRevalidator, NavigationType, useNavigationType } from 'react-router'
import { isSigningOut } from '../page/page-state.ts'
import { useSession } from '../session/use-session.ts'

export function useFollowSession(signInPath: string): void {
  const user_id = useSession()?.user.id
  useLeaveWhenSignedOut(user_id === undefined, signInPath)
  useReloadForAnother(user_id)
}

function useLeaveWhenSignedOut(isSignedOut: boolean, signInPath: string): void {
  const navigate = useNavigate()
  useEffect(() => {
    if (isSignedOut && !isSigningOut.get()) void navigate(signInPath, { replace: true })
  }, [isSignedOut, signInPath, navigate])
}

function useReloadForAnother(user_id: string | undefined): void {
  const { revalidate } = useRevalidator()
  const shown = useRef(user_id)
  useEffect(() => {
    if (user_id === shown.current) return
    const isAnother = shown.current !== undefined && user_id !== undefined
    shown.current = user_id
    if (isAnother) void revalidate()
  }, [user_id, revalidate])
}

/** The button that led here is gone with its page: the focus goes to the heading. */
export function useFocusOnArrival() {
  const heading = useRef<HTMLHeadingElement>(null)
  const isFromInside = useNavigationType() !== NavigationType.Pop
  const [hasArrived] = useState(isFromInside)
  useEffect(() => {
    if (hasArrived && document.activeElement === document.body) heading.current?.focus()
  }, [hasArrived])
  return heading
}
