// One in each layout that has such forms: the router knows one blocker at a time.
import { useBlocker, type BlockerFunction } from 'react-router'
import { Button } from './components/button.tsx'
import { Dialog } from './components/dialog.tsx'
import { hasUnsavedChanges } from './use-unsaved-changes.ts'

export function AskBeforeLeaving() {
  const blocker = useBlocker(shouldAsk)
  if (blocker.state !== 'blocked') return null
  return (
    <Dialog title="Leave without saving?" onClose={() => blocker.reset()}>
      <p className="mt-3 text-pretty text-soft">What you entered on this page is not saved yet.</p>
      <p className="mt-6 flex flex-wrap justify-end gap-3">
        <Button look="outline" onClick={() => blocker.proceed()}>
          Leave without saving
        </Button>
        <Button onClick={() => blocker.reset()}>Stay on this page</Button>
      </p>
    </Dialog>
  )
}

/** Filters and dialogs that live in the query leave the page's forms where they are. */
const shouldAsk: BlockerFunction = ({ currentLocation, nextLocation }) =>
  currentLocation.pathname !== nextLocation.pathname && hasUnsavedChanges()
