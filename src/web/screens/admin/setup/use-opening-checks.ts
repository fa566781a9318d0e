import { useEffect, useState } from 'react'
import type { OpeningCheck } from '#contract/operations/setup.ts'
import { readOpeningCheck } from './calls.ts'

export type OpeningChecks = ReturnType<typeof useOpeningChecks>

/** `found` is undefined while servers are asked, which may take seconds; null after a failure. */
export function useOpeningChecks() {
  const [found, setFound] = useState<OpeningCheck | null>()
  useEffect(() => {
    let isGone = false
    readOpeningCheck().then(
      (checks) => isGone || setFound(checks),
      () => isGone || setFound(null),
    )
    return () => void (isGone = true)
  }, [])
  async function checkAgain() {
    setFound(undefined)
    setFound(await readOpeningCheck().catch(() => null))
  }
  return { found, checkAgain }
}
