// What the pages share that need a sign-in.
import { useEffect, useRef, useState } from 'react'
import {
  useNavigate,
  useRevalidator,
  NavigationType,
  useNavigationType,
  useBlocker,
  type BlockerFunction,
} from 'react-router'
import { isSigningOut, unsavedForms } from '../page-state.ts'
import { useStore } from '../use-page.ts'
import { useSession } from '../use-session.ts'
import { controlsTexts } from '#words/site.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { hasUnsavedChanges } from '../form.ts'

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

// One in each layout that has such forms: the router knows one blocker at a time.

export function AskBeforeLeaving() {
  const blocker = useBlocker(shouldAsk)
  const { size } = useStore(unsavedForms)
  useEffect(() => {
    // Saved meanwhile: a notice comes before the form knows.
    if (size === 0 && blocker.state === 'blocked') blocker.proceed()
  }, [size, blocker])
  if (blocker.state !== 'blocked') return null
  return (
    <Dialog title={controlsTexts.leaveQuestion} onClose={() => blocker.reset()}>
      <p className="mt-3 text-pretty text-soft">{controlsTexts.notSaved}</p>
      <p className="mt-6 flex flex-wrap justify-end gap-3">
        <Button look="outline" onClick={() => blocker.proceed()}>
          {controlsTexts.leave}
        </Button>
        <Button onClick={() => blocker.reset()}>{controlsTexts.stay}</Button>
      </p>
    </Dialog>
  )
}

/** Filters and dialogs that live in the query leave the page's forms where they are. */
const shouldAsk: BlockerFunction = ({ currentLocation, nextLocation }) =>
  currentLocation.pathname !== nextLocation.pathname && hasUnsavedChanges()
