import { factorsTexts } from '#words/factors.ts'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import type { Outcome } from '../../accounts.ts'
import { toast } from '../../toasts.tsx'
import { withProof } from './account-action.ts'

/** A change beside the page's forms. `run` says what failed, and returns undefined then. */
export function useTask() {
  const [isBusy, setIsBusy] = useState(false)
  const { revalidate } = useRevalidator()
  async function run<Result extends Outcome>(call: () => Promise<Result>): Promise<Result | undefined> {
    setIsBusy(true)
    const result = await withProof(call)
    setIsBusy(false)
    if (result?.problem) {
      toast({ title: factorsTexts.failed, description: result.problem, destructive: true })
      return undefined
    }
    if (result) void revalidate()
    return result
  }
  return { isBusy, run }
}
