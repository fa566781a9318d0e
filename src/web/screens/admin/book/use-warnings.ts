import { useEffect, useState } from 'react'
import type { DraftWarning } from '#contract/book/drafts.ts'
import { findWarnings } from './calls.ts'

/** Undefined while loading, which may take seconds for links; null after a failure. */
export function useWarnings(): DraftWarning[] | undefined | null {
  const [warnings, setWarnings] = useState<DraftWarning[] | null>()
  useEffect(() => {
    let isGone = false
    findWarnings().then(
      (found) => isGone || setWarnings(found.warnings),
      () => isGone || setWarnings(null),
    )
    return () => void (isGone = true)
  }, [])
  return warnings
}
