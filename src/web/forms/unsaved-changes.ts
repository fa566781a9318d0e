// Forms with unsaved text. Closing or reloading the tab asks by itself while there is one; app/leave-question.tsx asks inside
// the site.
import { useEffect, useCallback, useId } from 'react'
import { unsavedForms } from '../page/page-state.ts'

export function hasUnsavedChanges(): boolean {
  return unsavedForms.get().size > 0
}

export function discardUnsavedChanges(): void {
  unsavedForms.set(new Set())
  removeEventListener('beforeunload', askBeforeUnload)
}

export function useUnsavedChanges() {
  const id = useId()
  const markChanged = useCallback(() => {
    unsavedForms.set(new Set([...unsavedForms.get(), id]))
    addEventListener('beforeunload', askBeforeUnload)
  }, [id])
  const markSaved = useCallback(() => {
    unsavedForms.set(new Set([...unsavedForms.get()].filter((other) => other !== id)))
    if (!hasUnsavedChanges()) removeEventListener('beforeunload', askBeforeUnload)
  }, [id])
  useEffect(() => markSaved, [markSaved])
  return { markChanged, markSaved }
}

/** The browser words the question itself. It is only listened for when needed: a listener keeps pages out of the back/forward cache. */
function askBeforeUnload(event: BeforeUnloadEvent): void {
  event.preventDefault()
}
