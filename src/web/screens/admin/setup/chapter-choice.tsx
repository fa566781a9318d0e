import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { SelectField } from '../../../components/select-field.tsx'
import type { Draft } from '../book/use-draft.ts'
import { choosePreview } from './calls.ts'
import type { SetupFile } from './file-facts.tsx'
import type { Run } from './step-card.tsx'

const maxChapters = 5

export function ChapterChoice({ file, draft, run }: { file: SetupFile; draft: Draft; run: Run }) {
  const { document, save, replace, revision } = draft
  const [from, setFrom] = useState(file.firstChapter ?? 0)
  const [count, setCount] = useState(1)
  async function choose() {
    if (!(await save())) return
    const chapters = file.chapters.flatMap(({ length }, at) => (at >= from && length > 0 ? [at] : []))
    await run('Couldn’t save the change', async () =>
      replace(await choosePreview(revision(), chapters.slice(0, count))),
    )
  }
  const options = file.chapters.map(({ title }, at) => ({
    value: String(at),
    label: title || `Page ${at + 1}`,
  }))
  const counts = Array.from({ length: maxChapters }, (_, at) => String(at + 1))
  return (
    <div className="grid gap-4 rounded-md bg-ink/4 p-4">
      <div className="grid gap-4 sm:grid-cols-[1fr_8rem]">
        <SelectField
          label="Begin the preview with"
          value={String(from)}
          onChange={({ target }) => setFrom(Number(target.value))}
          options={options}
        />
        <SelectField
          label="How many"
          value={String(count)}
          onChange={({ target }) => setCount(Number(target.value))}
          options={counts}
        />
      </div>
      <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button look="outline" onClick={() => void choose()}>
          Use as the preview
        </Button>
        <span className="text-sm text-soft">
          {document.preview.chapters.length > 0 && 'This replaces the chapters below.'}
        </span>
      </p>
    </div>
  )
}
