// A card that tries the settings as they are saved, and shows what came of it.
import { useState, type ReactNode } from 'react'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../card.tsx'
import { useAdminCall } from '../calls.tsx'
import { CircleCheck, TriangleAlert } from '../icons.tsx'

type TrialCardProps<Test> = {
  title: string
  busyLabel: string
  failed: string
  isReady: boolean
  call: () => Promise<Test>
  renderOutcome: (test: Test) => ReactNode
  children: ReactNode
}

export function TrialCard<Test>(props: TrialCardProps<Test>) {
  const { title, busyLabel, failed, isReady, call, renderOutcome, children } = props
  const [isBusy, run] = useAdminCall({ loadsAgain: false })
  const [shown, setShown] = useState<ReactNode>()
  function press() {
    setShown(undefined)
    void run(async () => setShown(renderOutcome(await call())), { failed })
  }
  return (
    <Card title={title} contentClass="grid gap-4 px-5 py-5">
      <p className="max-w-prose text-pretty text-soft">{children}</p>
      <p>
        <Button busy={isBusy} look="outline" disabled={!isReady || isBusy} onClick={press}>
          {isBusy ? busyLabel : title}
        </Button>
      </p>
      <div role="status">{shown}</div>
    </Card>
  )
}

type TrialOutcomeProps = { isGood: boolean; title: string; children?: ReactNode }

export function TrialOutcome({ isGood, title, children }: TrialOutcomeProps) {
  const Icon = isGood ? CircleCheck : TriangleAlert
  return (
    <div className="flex gap-3">
      <Icon aria-hidden className={`mt-0.5 size-5 shrink-0 ${isGood ? 'text-success' : 'text-danger'}`} />
      <div className="grid min-w-0 gap-2">
        <p className="font-semibold break-words">{title}</p>
        {children}
      </div>
    </div>
  )
}
