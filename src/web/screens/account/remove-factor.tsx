import { factorsTexts } from '#words/factors.ts'
import { Confirm } from '../../components/confirm.tsx'
import type { Outcome } from '../../accounts.ts'
import { toast } from '../../toasts.tsx'
import { useTask } from './use-task.ts'

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
