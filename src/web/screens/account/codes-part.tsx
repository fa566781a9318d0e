import { factorsTexts } from '#words/factors.ts'
import { fill } from '#words/fill.ts'
import { forCount } from '#words/texts.ts'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Confirm } from '../../components/confirm.tsx'
import { makeCodes } from '../../factors.ts'
import { useTask } from './use-task.ts'

type CodesPartProps = { left: number | null; onMade: (codes: string[] | undefined) => void }

export function CodesPart({ left, onMade }: CodesPartProps) {
  const texts = factorsTexts.codes
  const [isAsking, setIsAsking] = useState(false)
  const { isBusy, run } = useTask()
  async function make() {
    const made = await run(() => makeCodes(left !== null))
    setIsAsking(false)
    onMade(made?.codes)
  }
  return (
    <Card title={texts.title} contentClass="grid gap-4 p-5">
      <p className="text-pretty">{texts.text}</p>
      {left !== null && <p className="font-semibold">{fill(forCount(texts.left, left), { count: left })}</p>}
      <p>
        <Button
          look="outline"
          className="max-sm:w-full"
          disabled={isBusy}
          onClick={() => (left === null ? void make() : setIsAsking(true))}
        >
          {left === null ? texts.make : texts.renew}
        </Button>
      </p>
      {isAsking && (
        <Confirm
          title={texts.renewQuestion}
          action={texts.renew}
          isBusy={isBusy}
          onConfirm={() => void make()}
          onClose={() => setIsAsking(false)}
        >
          {texts.renewText}
        </Confirm>
      )}
    </Card>
  )
}
