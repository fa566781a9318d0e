import { arrange, type Finished } from './arrange-chapters.ts'
import { type AboutBook, findKind } from './chapter-kinds.ts'
import {
  adoptEntry,
  appendDraft,
  beginsAnew,
  chooseStarts,
  cutAtHeadings,
  cutPage,
  type Draft,
  kindEvidenceOf,
  maxChapterText,
  titleOf,
  withoutTitle,
} from './chapter-draft.ts'
import { markdownOf } from './chapter-text.ts'
import type { Contents, ContentsEntry } from './contents.ts'
import type { PackageDocument } from './package-document.ts'
import { pagesOf, readEmphasis, readPage, type Emphasis } from './pages.ts'
import { quoted, Refused } from './refused.ts'
import { isGeneric, isLabelled, letters } from './titles.ts'
import type { Archive } from './zip.ts'

const maxChapters = 2_000
/** A Bible has about 4,500,000. */
const maxText = 6_000_000

export async function readChapters(
  archive: Archive,
  document: PackageDocument,
  contents: Contents,
  about: AboutBook,
) {
  const findings: string[] = []
  const entries = usableEntries(belowChapters(contents.entries, about), about)
  const book = { contents: { ...contents, entries }, about, emphasis: await readEmphasis(archive, document) }
  const finished: Finished[] = []
  let [draft, length]: [Draft | undefined, number] = [undefined, 0]
  for await (const next of readDrafts(archive, document, book, findings)) {
    length += next.length
    if (length > maxText || finished.length === maxChapters) {
      findings.push('The book is very long: only its beginning was read.')
      break
    }
    if (draft && isContinued(draft, next, book)) appendDraft(draft, next)
    else {
      if (draft) finished.push(finish(draft, book, findings))
      draft = next
    }
  }
  if (draft) finished.push(finish(draft, book, findings))
  const titled = takeTitle(finished, book).about
  return {
    ...(titled.title && { title: titled.title }),
    ...arrange(finished, book.contents, titled),
    findings,
  }
}

const maxTitlePage = 100

/** Where no file says the title, the first page may. */
function takeTitle([first, second]: Finished[], book: Book): Book {
  if (book.about.title !== '' || !first || !second || first.markdown.length > maxTitlePage) return book
  first.kind = 'front'
  return { ...book, about: { ...book.about, title: first.title } }
}

const fewChapters = 3

/** In a flat list, what stands in the file of a chapter, has no number and is no preface or the like, is its section. */
function belowChapters(entries: ContentsEntry[], about: AboutBook): ContentsEntry[] {
  if (entries.some(({ depth }) => depth > 0)) return entries
  const chapters = entries.filter(({ title }) => isLabelled(title))
  if (chapters.length < fewChapters) return entries
  const none = { types: [], hints: [], text: '', linkShare: 0 }
  let place: string | undefined
  return entries.map((entry) => {
    const { title, fragment } = entry
    if (isLabelled(title)) place = entry.place
    const kind = findKind({ title, ...none }, about)
    const isSection =
      !isLabelled(title) &&
      fragment !== undefined &&
      entry.place === place &&
      kind !== 'front' &&
      kind !== 'back'
    return isSection ? { ...entry, depth: 1 } : entry
  })
}

type Book = { contents: Contents; about: AboutBook; emphasis: Emphasis }

/** A list that names hardly anything is none: some programs write one of a single entry. */
function usableEntries(entries: ContentsEntry[], about: AboutBook): ContentsEntry[] {
  const isTelling = ({ title }: ContentsEntry) =>
    !isGeneric(title) && !letters(about.title).includes(letters(title))
  const none = { types: [], hints: [], text: '', linkShare: 0 }
  const isText = ({ title }: ContentsEntry) => {
    const kind = findKind({ title, ...none }, about)
    return kind === undefined || kind === 'body'
  }
  const telling = entries.filter(isTelling)
  return telling.length > 1 && telling.some(isText) ? entries : []
}

const fewPages = 3

async function* readDrafts(
  archive: Archive,
  document: PackageDocument,
  { contents, about, emphasis }: Book,
  findings: string[],
) {
  const starts = chooseStarts(contents.entries, about)
  // Of several entries with one title the first is meant.
  const byTitle = new Map(contents.entries.toReversed().map((entry) => [letters(entry.title), entry]))
  const places = pagesOf(archive, document)
  for (const place of places) {
    const page = await readPage(archive, place, contents.landmarks, emphasis).catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error
      findings.push(`The page ${quoted(place)} could not be read. ${error.message}`)
    })
    if (!page) continue
    if (contents.entries.length === 0) yield* cutAtHeadings(page, emphasis, places.length <= fewPages)
    for (const draft of contents.entries.length === 0 ? [] : cutPage(page, starts, emphasis)) {
      adoptEntry(draft, byTitle)
      yield draft
    }
  }
}

/** Some programs divide a long chapter into several pages, of which the contents name the first. */
function isContinued(before: Draft, next: Draft, { contents, about, emphasis }: Book): boolean {
  const { entry, ...draft } = next
  if (entry !== undefined || contents.entries.length === 0 || before.entry === undefined) return false
  if (beginsAnew(next, before, emphasis)) return false
  const kindBefore = findKind(kindEvidenceOf(before), about) ?? 'body'
  const kind = findKind({ ...kindEvidenceOf({ entry, ...draft }), title: '' }, about)
  return kindBefore === 'body' && kind === undefined
}

function finish(draft: Draft, { about, emphasis }: Book, findings: string[]): Finished {
  const { entry, places, length } = draft
  const title = titleOf(draft)
  if (length > maxChapterText)
    findings.push(`Only the beginning of the chapter ${quoted(title)} was read: it is very long.`)
  const markdown = markdownOf(withoutTitle(draft), emphasis)
  return { entry, places, title, markdown, kind: findKind(kindEvidenceOf(draft), about) ?? 'body' }
}
