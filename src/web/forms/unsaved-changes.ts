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

/** The forms that are saved when their page is left, by the ids of `unsavedForms`. */
const saves = new Map<string, () => Promise<void>>()

/** Returns whether each form that saves itself is saved; what is still unsaved then has to be asked about. */
export async function saveUnsavedChanges(): Promise<boolean> {
  const saving = [...unsavedForms.get()].filter((id) => saves.has(id))
  await Promise.all(saving.map(async (id) => saves.get(id)?.()))
  return !saving.some((id) => unsavedForms.get().has(id))
}

/** With `save`, the form is saved when another page of the site is opened, and asks only where that failed. */
export function useUnsavedChanges(save?: () => Promise<void>) {
  const id = useId()
  useEffect(() => {
    if (!save) return undefined
    saves.set(id, save)
    return () => void saves.delete(id)
  }, [id, save])
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
