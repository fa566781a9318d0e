// The step of the setup in which the words of the page are entered.
import { followLanguage } from '#content/standard-lines.ts'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { SelectField } from '../../../components/further-fields.tsx'
import { type Draft, useDraft, readDraft, checkComplete } from '../book/draft.ts'
import {
  choosePreview,
  chooseStep,
  type Run,
  StepHeading,
  StepButtons,
  type StepProps,
} from './step-card.tsx'
import { maxPreviewChapters, type BookDocument } from '#contract/book/book.ts'
import type { BookSetup } from '#contract/setup/setup.ts'
import { TriangleAlert } from '../icons.tsx'
import { Picture } from '../../../product/cover.tsx'
import { DraftEditor, SaveLine } from '../book/draft-editor.tsx'
import type { PartName } from '../book/part-titles.ts'

function ChapterChoice({ file, draft, run }: { file: SetupFile; draft: Draft; run: Run }) {
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
  const counts = Array.from({ length: maxPreviewChapters }, (_, at) => String(at + 1))
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

type LanguageQuestionProps = {
  /** The language of the file, and that of its text. */
  languages: [string, string]
  language: BookDocument['language']
  onChoose: (language: string) => void
}

const names = new Intl.DisplayNames('en', { type: 'language' })

function LanguageQuestion({ languages: [ofFile, ofText], language, onChoose }: LanguageQuestionProps) {
  const choices = [
    { tag: ofText, why: 'as its text looks' },
    { tag: ofFile, why: 'as the file says' },
  ]
  return (
    <fieldset className="mt-3 text-sm">
      <legend className="font-semibold">Which language is your book in?</legend>
      {choices.map(({ tag, why }) => (
        <label key={tag} className="mt-1.5 flex w-fit cursor-pointer items-center gap-2 py-0.5">
          <input
            type="radio"
            name="book-language"
            className="tick rounded-full"
            checked={language === tag}
            onChange={() => onChoose(tag)}
          />
          {names.of(tag)}, {why}
        </label>
      ))}
    </fieldset>
  )
}

type SetupFile = NonNullable<BookSetup['file']>

type FileFactsProps = {
  file: SetupFile
  document: BookDocument
  onLanguage: (language: string) => void
  onChange: () => void
}

function FileFacts({ file, document: { cover, language }, onLanguage, onChange }: FileFactsProps) {
  return (
    <section aria-label="Your file" className="flex gap-4 rounded-md border border-line bg-surface p-4">
      {cover && (
        <div className="w-20 shrink-0">
          <Picture
            picture={cover}
            alt={cover.alt || 'The cover of your book'}
            sizes="5rem"
            className="h-auto w-full rounded-sm shadow-sm"
          />
        </div>
      )}
      <div className="min-w-0">
        <p className="font-semibold break-words">{file.name}</p>
        <p className="mt-0.5 text-sm text-soft">{factsOf(file, cover !== null)}</p>
        <ul className="mt-2 grid gap-1.5 text-sm">
          {file.findings.map((finding) => (
            <li key={finding} className="flex gap-2 text-pretty">
              <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-gold-text" />
              {finding}
            </li>
          ))}
        </ul>
        {file.possible_languages && (
          <LanguageQuestion languages={file.possible_languages} language={language} onChoose={onLanguage} />
        )}
        {file.contents.length > 0 && (
          <details className="mt-2 text-sm">
            <summary className="cursor-pointer rounded-sm font-semibold">Contents</summary>
            <ol className="mt-2 grid max-h-64 gap-1 overflow-y-auto">
              {file.contents.map(({ title, depth }, at) => (
                // oxlint-disable-next-line react/no-array-index-key -- a printed list never changes its order
                <li key={at} className={depth > 0 ? 'pl-5 text-soft' : ''}>
                  {title}
                </li>
              ))}
            </ol>
          </details>
        )}
        <button
          type="button"
          className="mt-2 cursor-pointer rounded-sm text-sm font-semibold underline underline-offset-4"
          onClick={onChange}
        >
          Choose another file
        </button>
      </div>
    </section>
  )
}

function factsOf({ file_format, pages, chapters, publisher }: SetupFile, hasCover: boolean): string {
  const facts = [file_format.toUpperCase()]
  if (pages !== undefined) facts.push(`${pages} ${pages === 1 ? 'page' : 'pages'}`)
  const bodies = chapters.filter(({ kind }) => kind === 'body').length
  if (bodies > 0) facts.push(`${bodies} ${bodies === 1 ? 'chapter' : 'chapters'}`)
  if (file_format === 'epub' && !hasCover) facts.push('no cover')
  if (publisher) facts.push(publisher)
  return facts.join(' · ')
}

const parts: PartName[] = [
  'title',
  'looks',
  'author',
  'preview',
  'words',
  'facts',
  'promises',
  'questions',
  'quotes',
]

const askForAuthor =
  'Readers buy from a person. Two sentences about you and a picture are enough: they stand in a section “About the author” of your page, which is not shown while both are missing.'
const askForQuotes =
  'A sentence that somebody has said about the book sells it better than any of yours. The first short one stands in the first fold of your page, under the price; more get a section “What readers say”. Ask before you quote.'

const askForQuestions =
  'What keeps a reader from buying? Three or four questions with short answers are enough, as for whom the book is, and on which devices it opens. Without any, your page has no such section.'

/** What is not from the file, and what it is for. */
function Ask({ children }: { children: string }) {
  return <p className="text-sm text-pretty text-soft">{children}</p>
}

/** A chapter or a quotation that was added without words leaves its part empty. */
export function emptyParts({ author, preview, questions, quotes }: BookDocument): PartName[] {
  const empty: PartName[] = []
  if (author.name === '' || !(author.biography || author.portrait)) empty.push('author')
  if (!preview.chapters.some(({ text }) => text.trim())) empty.push('preview')
  if (!questions.some(({ question, answer }) => question.trim() && answer.trim())) empty.push('questions')
  if (!quotes.some(({ text }) => text.trim())) empty.push('quotes')
  return empty
}

export function WordsStep({ setup: { file, offers }, draft: loaded, isBusy, run }: StepProps) {
  const draft = useDraft(loaded)
  const { document, change, save, replace, overwrite, setProblems } = draft
  /** The step is left after what was typed last is saved. */
  async function leaveTo(step: 'file' | 'formats') {
    if (await save()) await run('Couldn’t save', () => chooseStep(step))
  }
  async function goOn() {
    const result = await checkComplete(document)
    setProblems(result ?? {})
    if (!result) await leaveTo('formats')
  }
  return (
    <DraftEditor
      draft={draft}
      only={parts}
      missing={emptyParts(document)}
      above={{
        author: document.author.biography === '' && <Ask>{askForAuthor}</Ask>,
        questions: document.questions.length === 0 && <Ask>{askForQuestions}</Ask>,
        quotes: document.quotes.length === 0 && <Ask>{askForQuotes}</Ask>,
        preview: file && file.chapters.length > 0 && <ChapterChoice file={file} draft={draft} run={run} />,
      }}
      head={
        <>
          <StepHeading
            title="Your page"
            lead={`This is what visitors will see. Correct what was not read well from the file, and type what is missing; your changes are saved as you type.${offers.length > 0 ? '' : ' Formats and prices come in the next step.'}`}
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
              onLanguage={(language) => change((edited) => followLanguage(edited, language))}
              onChange={() => void leaveTo('file')}
            />
          )}
        </>
      }
    >
      <p className="text-sm text-pretty text-soft">
        You can edit the rest of the page, such as its closing and the order of its sections, under “Book
        page” in the admin area.
      </p>
      <StepButtons isBusy={isBusy} onBack={() => void leaveTo('file')} onNext={() => void goOn()} />
    </DraftEditor>
  )
}
