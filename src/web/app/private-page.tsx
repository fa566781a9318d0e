// The hooks of pages that need a sign-in.
import { useEffect, useRef, useState } from 'react'
import { useRevalidator, NavigationType, useNavigationType } from 'react-router'
import { namedNotice } from '../notices/named-notice.ts'
import { isRead } from '../notices/stored-notice.ts'
import { toast } from '../notices/toasts.tsx'
import { isSigningOut, toasts } from '../page/page-state.ts'
import { useGoTo } from './navigation.ts'
import { useSession } from '../session/use-session.ts'

export function useFollowSession(signInPath: string): void {
  const user_id = useSession()?.user.id
  useLeaveWhenSignedOut(user_id === undefined, signInPath)
  useReloadForAnother(user_id)
}

function useLeaveWhenSignedOut(isSignedOut: boolean, signInPath: string): void {
  const goTo = useGoTo()
  useEffect(() => {
    if (!isSignedOut || isSigningOut.get()) return
    // The next document shows the last notice. A call that is under way would be refused too late to say it.
    const now = Date.now()
    const isSaid = toasts.get().shown.some((notice) => notice.destructive && !isRead(notice, now))
    if (!isSaid) toast(namedNotice('session-ended'))
    goTo(signInPath)
  }, [isSignedOut, signInPath, goTo])
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
