import { useRef } from 'react'
import { useFocusWrong } from '../../../focus-back.ts'
import { readDraft } from '../book/calls.ts'
import type { PartName } from '../book/book-form.tsx'
import { DraftEditor } from '../book/draft-editor.tsx'
import { checkComplete } from '../book/send-draft.ts'
import { SaveLine } from '../book/save-line.tsx'
import { useDraft } from '../book/use-draft.ts'
import { chooseStep } from './calls.ts'
import { ChapterChoice } from './chapter-choice.tsx'
import { FileFacts } from './file-facts.tsx'
import { StepHeading, StepButtons, type StepProps } from './step-card.tsx'

const parts: PartName[] = ['title', 'looks', 'author', 'preview', 'words', 'promises']

export function WordsStep({ setup: { file, offers }, draft: loaded, isBusy, run }: StepProps) {
  const draft = useDraft(loaded)
  const { document, change, save, replace, overwrite, setProblems } = draft
  const form = useRef<HTMLDivElement>(null)
  useFocusWrong(form, draft.problems)
  const opened: PartName[] = ['title']
  if (document.author.name === '') opened.push('author')
  if (document.preview.chapters.length === 0) opened.push('preview')
  /** What was typed last is saved first. */
  async function leaveTo(step: 'file' | 'formats') {
    if (await save()) await run('Couldn’t save', () => chooseStep(step))
  }
  async function goOn() {
    const found = checkComplete(document)
    setProblems(found ?? {})
    if (!found) await leaveTo('formats')
  }
  return (
    <DraftEditor
      draft={draft}
      form={form}
      className="gap-6"
      only={parts}
      opened={opened}
      above={{
        preview: file && file.chapters.length > 0 && <ChapterChoice file={file} draft={draft} run={run} />,
      }}
      head={
        <>
          <StepHeading
            title="Your page"
            lead={`This is what visitors will see. Correct what was not read well from the file; your changes are saved as you type.${offers.length > 0 ? '' : ' Formats and prices come in the next step.'}`}
          />
          <SaveLine
            draft={draft}
            onKeepMine={() => void run('Couldn’t save', async () => overwrite(await readDraft()))}
            onTakeTheirs={() => void run('Couldn’t load', async () => replace(await readDraft()))}
          />
          {file && (
            <FileFacts
              file={file}
              document={document}
              onLanguage={(language) => change((edited) => void (edited.language = language))}
              onChange={() => void leaveTo('file')}
            />
          )}
        </>
      }
    >
      <p className="text-sm text-pretty text-soft">
        You can edit the rest of the page, such as questions and quotations, under “Book” in the admin area.
      </p>
      <StepButtons isBusy={isBusy} onBack={() => void leaveTo('file')} onNext={() => void goOn()} />
    </DraftEditor>
  )
}
