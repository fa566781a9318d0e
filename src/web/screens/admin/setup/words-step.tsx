import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { AuthorPart } from '../book/author-part.tsx'
import { readDraft } from '../book/calls.ts'
import { draftFields } from '../book/draft-field.ts'
import { checkComplete } from '../book/send-draft.ts'
import { Group } from '../book/group.tsx'
import { PreviewPane, usePreviewUrl } from '../book/preview-pane.tsx'
import { PreviewPart } from '../book/preview-part.tsx'
import { PromisesPart } from '../book/promises-part.tsx'
import { SaveLine } from '../book/save-line.tsx'
import { TitlePart } from '../book/title-part.tsx'
import { useDraft } from '../book/use-draft.ts'
import { WordsPart } from '../book/words-part.tsx'
import { chooseStep } from './calls.ts'
import { ChapterChoice } from './chapter-choice.tsx'
import { FileFacts } from './file-facts.tsx'
import { StepHeading, StepButtons } from './step-card.tsx'
import type { StepProps } from './step-props.ts'

export function WordsStep({ setup: { file }, draft: loaded, isBusy, run }: StepProps) {
  const draft = useDraft(loaded)
  const [section, setSection] = useState<string>()
  const [isPreviewed, setIsPreviewed] = useState(false)
  const url = usePreviewUrl()
  const { document, change, problems, state, save, replace, overwrite, setProblems } = draft
  const given = { document, change, problems, field: draftFields(draft) }
  /** What was typed last is saved first. */
  const leaveTo = (step: 'file' | 'formats') => async () => {
    if (await save()) await run('Couldn’t save', () => chooseStep(step))
  }
  async function goOn() {
    const found = checkComplete(document)
    setProblems(found ?? {})
    if (!found) await leaveTo('formats')()
  }
  return (
    <div className="grid gap-6 xl:grid-cols-[minmax(24rem,5fr)_7fr]">
      <div className={`grid content-start gap-4 ${isPreviewed ? 'max-xl:hidden' : ''}`}>
        <StepHeading
          title="Your page"
          lead="This is what visitors will see. Correct what the file did not say well; it is saved as you type."
        />
        <SaveLine
          draft={draft}
          onKeepMine={() => void run('Couldn’t save', async () => overwrite(await readDraft()))}
          onTakeTheirs={() => void run('Couldn’t load', async () => replace(await readDraft()))}
        />
        {file && <FileFacts file={file} cover={document.cover} onChange={() => void leaveTo('file')()} />}
        <Button look="outline" className="xl:hidden" onClick={() => setIsPreviewed(true)}>
          Show the preview
        </Button>
        <Group
          title="Title and description"
          fields={['title', 'product', 'subtitle', 'description', 'language', 'isbns']}
          problems={problems}
          isOpenAtFirst
          onOpen={() => setSection('title')}
        >
          <TitlePart {...given} />
        </Group>
        <Group
          title="Author and invitation"
          fields={['author', 'invitation']}
          problems={problems}
          isOpenAtFirst={document.author.name === ''}
          onOpen={() => setSection('invitation')}
        >
          <AuthorPart {...given} />
        </Group>
        <Group
          title="Preview"
          fields={['preview']}
          problems={problems}
          isOpenAtFirst={document.preview.chapters.length === 0}
          onOpen={() => setSection('preview')}
        >
          {file && file.chapters.length > 0 && <ChapterChoice file={file} draft={draft} run={run} />}
          <PreviewPart {...given} />
        </Group>
        <Group
          title="Words"
          fields={['words', 'words_title']}
          problems={problems}
          onOpen={() => setSection('words')}
        >
          <WordsPart {...given} />
        </Group>
        <Group
          title="Promises and rating"
          fields={['refund_days', 'rating', 'claims']}
          problems={problems}
          onOpen={() => setSection('book-sales')}
        >
          <PromisesPart {...given} />
        </Group>
        <p className="text-sm text-pretty text-soft">
          Everything else on the page, from questions to colours, is under “Book” in the admin area.
        </p>
        <StepButtons isBusy={isBusy} onBack={() => void leaveTo('file')()} onNext={() => void goOn()} />
      </div>
      <PreviewPane
        className={isPreviewed ? '' : 'max-xl:hidden'}
        src={url && `${url}?revision=${state.revision}`}
        legal={document.legal}
        section={section}
        onClose={() => setIsPreviewed(false)}
      />
    </div>
  )
}
