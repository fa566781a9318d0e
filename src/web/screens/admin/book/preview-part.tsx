import { useEffect, useState, useCallback } from 'react'
import type { StoredChapter, StoredEbook } from '#contract/book/drafts.ts'
import { failure } from '../../../copy.ts'
import { formatCount, formatMoment } from '../../../format.ts'
import { toast } from '../../../toasts.tsx'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { SelectField } from '../../../components/select-field.tsx'
import { Spinner } from '../../../components/spinner.tsx'
import { listChapters, listEbooks } from './use-draft.ts'
import { Line, type PartProps, ListEditor, MarkdownField } from './draft-fields.tsx'

type ChapterPickerProps = {
  onPick: (chapter: Omit<StoredChapter, 'kind'>) => void
  onClose: () => void
}

function ChapterPicker({ onPick, onClose }: ChapterPickerProps) {
  const [ebooks, setEbooks] = useState<StoredEbook[]>()
  const [picked, setPicked] = useState<string>()
  const chosen = picked ?? ebooks?.[0]?.id
  useEffect(() => {
    listEbooks().then(
      (result) => setEbooks(result.ebooks),
      (error: unknown) => {
        toast(failure('Couldn’t load', error))
        onClose()
      },
    )
  }, [onClose])

  function pick({ number, title, text }: StoredChapter) {
    onPick({ number, title, text })
    onClose()
  }

  return (
    <Dialog title="Import a chapter from your EPUB" onClose={onClose}>
      <div className="mt-4 grid gap-4">
        {ebooks?.length === 0 && (
          <p className="text-soft">No EPUB is uploaded yet. Upload one under Products, or paste the text.</p>
        )}
        {ebooks && ebooks.length > 1 && (
          <SelectField
            label="File"
            value={chosen}
            options={ebooks.map(({ id, title, created_at }) => ({
              value: id,
              label: `${title}, ${formatMoment(created_at)}`,
            }))}
            onChange={({ currentTarget }) => setPicked(currentTarget.value)}
          />
        )}
        {chosen && <Chapters key={chosen} id={chosen} onPick={pick} />}
        {!ebooks && <Waiting />}
        <p className="text-right">
          <Button look="outline" onClick={onClose}>
            Cancel
          </Button>
        </p>
      </div>
    </Dialog>
  )
}

type ChaptersProps = { id: string; onPick: (chapter: StoredChapter) => void }

function Chapters({ id, onPick }: ChaptersProps) {
  const [chapters, setChapters] = useState<StoredChapter[] | { says: string }>()
  useEffect(() => {
    listChapters(id).then(
      ({ chapters }) => setChapters(chapters),
      (error: unknown) =>
        setChapters({ says: failure('', error).description ?? 'This file could not be read.' }),
    )
  }, [id])
  if (!chapters) return <Waiting />
  if ('says' in chapters) return <p className="text-danger">{chapters.says}</p>
  return (
    <ol className="grid max-h-80 gap-1 overflow-y-auto" aria-label="Chapters">
      {chapters.map((chapter, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- the chapters of a file do not change
        <li key={at}>
          <button
            type="button"
            className="flex w-full cursor-pointer items-baseline justify-between gap-3 rounded-sm px-3 py-2 text-left hover:bg-ink/7"
            onClick={() => onPick(chapter)}
          >
            <span className="min-w-0 wrap-anywhere">{chapter.title}</span>
            <span className="shrink-0 text-sm text-soft tabular-nums">
              {formatCount(chapter.text.length)} characters
            </span>
          </button>
        </li>
      ))}
    </ol>
  )
}

function Waiting() {
  return (
    <p role="status" className="flex items-center gap-3 text-soft">
      <Spinner />
      Reading...
    </p>
  )
}

const maxChapters = 5

export function PreviewPart({ document: { preview }, change, problems, field }: PartProps) {
  const [isPicking, setIsPicking] = useState(false)
  const stopPicking = useCallback(() => setIsPicking(false), [])
  const hasRoom = preview.chapters.length < maxChapters
  return (
    <>
      <p className="text-sm text-soft">The home page shows the beginning of the first chapter.</p>
      {problems['preview.chapters'] && <p className="text-sm text-danger">{problems['preview.chapters']}</p>}
      <ListEditor
        items={preview.chapters}
        noun="chapter"
        max={maxChapters}
        blank={{ number: null, title: '', text: '' }}
        onChange={(items) => change((draft) => void (draft.preview.chapters = items))}
      >
        {(chapter, index) => (
          <>
            <Line
              label="Chapter number"
              hint="Empty for a preface."
              problem={problems[`preview.chapters.${index}.number`]}
              value={chapter.number === null ? '' : String(chapter.number)}
              onChange={(value) =>
                change(
                  (draft) => void (draft.preview.chapters[index] = { ...chapter, number: numberOf(value) }),
                )
              }
            />
            <Line label="Title" {...field(`preview.chapters.${index}.title`)} />
            <MarkdownField label="Text" rows={14} {...field(`preview.chapters.${index}.text`)} />
          </>
        )}
      </ListEditor>
      <p>
        <Button look="outline" disabled={!hasRoom} onClick={() => setIsPicking(true)}>
          Import a chapter from your EPUB
        </Button>
      </p>
      {isPicking && (
        <ChapterPicker
          onPick={(picked) => change((draft) => void draft.preview.chapters.push(picked))}
          onClose={stopPicking}
        />
      )}
      <Line label="Line after the preview" {...field('preview.after')} />
    </>
  )
}

function numberOf(text: string): number | null {
  const number = Number.parseInt(text, 10)
  return number > 0 ? number : null
}
