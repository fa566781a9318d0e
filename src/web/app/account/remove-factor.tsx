// The button that removes a second factor after a question, and the state of such a task.
import { factorsTexts } from '#words/factors.ts'
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import type { Outcome } from '../../session/accounts.ts'
import { toast } from '../../notices/toasts.tsx'
import { withProof } from './account-form.tsx'
import { Confirm } from '../../components/dialog.tsx'

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

type RemoveFactorProps = {
  texts: { removeQuestion: string; removeText: string; removed: string }
  isLast: boolean
  remove: () => Promise<Outcome>
  onClose: () => void
}

export function RemoveFactor({ texts, isLast, remove, onClose }: RemoveFactorProps) {
  const { isBusy, run } = useTask()
  async function confirm() {
    const removed = await run(remove)
    onClose()
    if (removed) toast({ title: texts.removed })
  }
  return (
    <Confirm
      title={texts.removeQuestion}
      action={factorsTexts.remove}
      isDanger
      isBusy={isBusy}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>{texts.removeText}</p>
      {isLast && <p className="mt-3">{factorsTexts.removeLast}</p>}
    </Confirm>
  )
}
