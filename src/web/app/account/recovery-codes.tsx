// Recovery codes, which the shop can show only once.
import { factorsTexts } from '#words/factors.ts'
import { useState } from 'react'
import { Confirm, Dialog } from '../../components/dialog.tsx'
import { fill, forCount } from '#words/texts.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../card.tsx'
import { makeCodes, inGroups } from './factor-list.tsx'
import { saveFile } from '../../save-file.ts'
import { useBook } from '../../shop.ts'
import { useTask } from './remove-factor.tsx'

type CodesDialogProps = { codes: readonly string[]; email: string; onClose: () => void }

export function CodesDialog({ codes, email, onClose }: CodesDialogProps) {
  const texts = factorsTexts.codes
  const { title: shop } = useBook()
  const owner = fill(texts.of, { shop, email })
  const lines = codes.map(inGroups)
  return (
    <Dialog title={texts.shown} onClose={onClose}>
      <div data-alone className="print:visible">
        <p className="mt-3 text-pretty text-soft">{texts.shownText}</p>
        <p className="mt-4 hidden font-semibold print:block">{owner}</p>
        <ul className="mt-4 grid gap-x-6 gap-y-1 font-mono sm:grid-cols-2">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </div>
      <p className="mt-6 flex flex-wrap gap-3 *:grow">
        <Button
          look="outline"
          onClick={() => saveFile(`${texts.file}.txt`, [owner, '', ...lines, ''].join('\n'))}
        >
          {texts.save}
        </Button>
        <Button look="outline" onClick={() => print()}>
          {texts.print}
        </Button>
        <Button onClick={onClose}>{texts.close}</Button>
      </p>
    </Dialog>
  )
}

type CodesPartProps = { left: number | null; onMade: (codes: string[] | undefined) => void }

export function CodesPart({ left, onMade }: CodesPartProps) {
  const texts = factorsTexts.codes
  const [isAsking, setIsAsking] = useState(false)
  const { isBusy, run } = useTask()
  async function make() {
    const codes = await run(() => makeCodes(left !== null))
    setIsAsking(false)
    onMade(codes?.codes)
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
