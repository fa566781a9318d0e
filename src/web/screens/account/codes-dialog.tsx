// Recovery codes, which the shop can show only once.
import { factorsTexts } from '#words/factors.ts'
import { fill } from '#words/fill.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { saveFile } from '../../save-file.ts'
import { useBook } from '../../shop.ts'
import { inGroups } from './app-dialog.tsx'

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
