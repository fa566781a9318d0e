// The question before a page with unsaved text is left. One stands in each layout that has such forms: the router knows one
// blocker at a time.
import { useEffect, useState } from 'react'
import { useBlocker, type BlockerFunction } from 'react-router'
import { unsavedForms } from '../page/page-state.ts'
import { useStore } from '../page/use-page.ts'
import { controlsTexts } from '#words/site.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { hasUnsavedChanges, saveUnsavedChanges } from '../forms/unsaved-changes.ts'

export function AskBeforeLeaving() {
  const blocker = useBlocker(shouldAsk)
  const { size } = useStore(unsavedForms)
  const isBlocked = blocker.state === 'blocked'
  const [isAsked, setIsAsked] = useState(false)
  useEffect(() => {
    if (!isBlocked) return undefined
    let isCurrent = true
    void saveUnsavedChanges().finally(() => isCurrent && setIsAsked(true))
    return () => {
      isCurrent = false
      setIsAsked(false)
    }
  }, [isBlocked])
  useEffect(() => {
    // Saved meanwhile: a notice comes before the form knows.
    if (size === 0 && blocker.state === 'blocked') blocker.proceed()
  }, [size, blocker])
  if (blocker.state !== 'blocked' || !isAsked || size === 0) return null
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
