// One in each layout that has such forms: the router knows one blocker at a time.
import { controlsTexts } from '#words/controls.ts'
import { useBlocker, type BlockerFunction } from 'react-router'
import { Button } from './components/button.tsx'
import { Dialog } from './components/dialog.tsx'
import { hasUnsavedChanges } from './use-unsaved-changes.ts'

export function AskBeforeLeaving() {
  const blocker = useBlocker(shouldAsk)
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
