import type { BookSetup } from '#contract/operations/book-setup.ts'
import type { BookDocument } from '#contract/book/book.ts'
import { TriangleAlert } from '../icons.tsx'
import { LanguageQuestion } from './language-question.tsx'
import { Picture } from '../../../picture.tsx'

export type SetupFile = NonNullable<BookSetup['file']>

type FileFactsProps = {
  file: SetupFile
  document: BookDocument
  onLanguage: (language: string) => void
  onChange: () => void
}

export function FileFacts({ file, document: { cover, language }, onLanguage, onChange }: FileFactsProps) {
  return (
    <section
      aria-label="What was read from your file"
      className="flex gap-4 rounded-md border border-line bg-surface p-4"
    >
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
  if (file_format !== 'pdf' && !hasCover) facts.push('no cover')
  if (publisher) facts.push(publisher)
  return facts.join(' · ')
}
