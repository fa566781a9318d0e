// Closing or reloading the tab asks by itself while a form has unsaved text; ask-before-leaving.tsx asks inside the
// site.
import { useCallback, useEffect, useId } from 'react'

const changed = new Set<string>()

export function hasUnsavedChanges(): boolean {
  return changed.size > 0
}

export function discardUnsavedChanges(): void {
  changed.clear()
  removeEventListener('beforeunload', askBeforeUnload)
}

type UnsavedChanges = {
  markChanged: () => void
  markSaved: () => void
}

export function useUnsavedChanges(): UnsavedChanges {
  const id = useId()
  const markChanged = useCallback(() => {
    changed.add(id)
    addEventListener('beforeunload', askBeforeUnload)
  }, [id])
  const markSaved = useCallback(() => {
    changed.delete(id)
    if (!hasUnsavedChanges()) removeEventListener('beforeunload', askBeforeUnload)
  }, [id])
  useEffect(() => markSaved, [markSaved])
  return { markChanged, markSaved }
}

/** The browser words the question itself. It is only listened for when needed: a listener keeps pages out of the back/forward cache. */
function askBeforeUnload(event: BeforeUnloadEvent): void {
  event.preventDefault()
}
