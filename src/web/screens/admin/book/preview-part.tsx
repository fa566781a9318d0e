import { useCallback, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { ChapterPicker } from './chapter-picker.tsx'
import { Line, type PartProps } from './draft-fields.tsx'
import { ListEditor } from './list-editor.tsx'
import { MarkdownField } from './markdown-field.tsx'

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
