// The chapters of an EPUB: its pages in the order of reading, cut and joined as its contents have them.
import {
  append,
  chooseStarts,
  cut,
  maxChapterText,
  kindEvidenceOf,
  titleOf,
  withoutTitle,
  type Draft,
} from './chapter-draft.ts'
import { findKind } from './chapter-kind.ts'
import { markdownOf } from './chapter-text.ts'
import type { Contents, ContentsEntry } from './contents.ts'
import type { Chapter, ReadBook } from './contract/read-book.ts'
import { readEmphasis, type Emphasis } from './emphasis.ts'
import type { PackageDocument } from './package-document.ts'
import { pagesOf, readPage } from './pages.ts'
import { quoted, Refused } from './refused.ts'
import type { Archive } from './zip.ts'

const maxChapters = 2_000
/** A Bible has about 4,500,000. */
const maxText = 6_000_000

export type Chapters = Pick<ReadBook, 'chapters' | 'contents' | 'firstChapter' | 'findings'>

export async function readChapters(
  archive: Archive,
  document: PackageDocument,
  contents: Contents,
  bookTitle: string,
): Promise<Chapters> {
  const findings: string[] = []
  const book = { contents, bookTitle, emphasis: await readEmphasis(archive, document) }
  const finished: Finished[] = []
  let [draft, length]: [Draft | undefined, number] = [undefined, 0]
  for await (const next of draftsIn(archive, document, contents, findings)) {
    length += next.length
    if (length > maxText || finished.length === maxChapters) {
      findings.push('The book is very long: only its beginning was read.')
      break
    }
    if (draft && isContinued(draft, next, book)) append(draft, next)
    else {
      if (draft) finished.push(finish(draft, book, findings))
      draft = next
    }
  }
  if (draft) finished.push(finish(draft, book, findings))
  return { ...arrange(finished, contents), findings }
}

async function* draftsIn(
  archive: Archive,
  document: PackageDocument,
  contents: Contents,
  findings: string[],
): AsyncGenerator<Draft> {
  const starts = chooseStarts(contents.entries)
  for (const place of pagesOf(document)) {
    const page = await readPage(archive, place, contents).catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error
      findings.push(`The page ${quoted(place)} could not be read. ${error.message}`)
    })
    if (page) yield* cut(page, starts)
  }
}

type Book = { contents: Contents; bookTitle: string; emphasis: Emphasis }

/** Some programs divide a long chapter into several pages, of which the contents name the first. */
function isContinued(before: Draft, { entry, ...draft }: Draft, { contents, bookTitle }: Book): boolean {
  if (entry !== undefined || contents.entries.length === 0 || before.entry === undefined) return false
  const isOfBody = (kind: string | undefined) => kind === undefined || kind === 'body'
  return (
    isOfBody(findKind(kindEvidenceOf(before), bookTitle)) &&
    findKind({ ...kindEvidenceOf({ entry, ...draft }), title: '' }, bookTitle) === undefined
  )
}

/** Of the pages' trees, which are large, nothing is kept. */
type Finished = Pick<Draft, 'entry' | 'places'> & Chapter

function finish(draft: Draft, { bookTitle, emphasis }: Book, findings: string[]): Finished {
  const title = titleOf(draft)
  if (draft.length > maxChapterText)
    findings.push(`Only the beginning of the chapter ${quoted(title)} was read: it is very long.`)
  return {
    entry: draft.entry,
    places: draft.places,
    title,
    markdown: markdownOf(withoutTitle(draft), emphasis),
    kind: findKind(kindEvidenceOf(draft), bookTitle) ?? 'body',
  }
}

function arrange(finished: Finished[], { entries, landmarks }: Contents): Omit<Chapters, 'findings'> {
  const first = finished.findIndex(({ kind }) => kind === 'body')
  const last = finished.findLastIndex(({ kind }) => kind === 'body')
  const chapters = finished.map(({ title, markdown, kind }, at): Chapter => {
    const place = at < first ? 'front' : first >= 0 && at > last ? 'back' : kind
    return { title, markdown, kind: kind === 'body' ? kind : place }
  })
  return {
    chapters,
    contents: entries.length > 0 ? entries.map((entry) => locate(entry, finished)) : listOf(chapters),
    firstChapter: findFirst(chapters, finished, landmarks),
  }
}

function locate(entry: ContentsEntry, finished: Finished[]): ReadBook['contents'][number] {
  const own = finished.findIndex((each) => each.entry === entry)
  const any = own < 0 ? finished.findIndex(({ places }) => places.has(entry.place)) : own
  return { title: entry.title, depth: entry.depth, chapter: any < 0 ? null : any }
}

function listOf(chapters: Chapter[]): ReadBook['contents'] {
  return chapters.flatMap(({ title }, chapter) => (title === '' ? [] : [{ title, depth: 0, chapter }]))
}

/** A page that only says "Part One" is no chapter. */
const minMarkdown = 200

function findFirst(
  chapters: Chapter[],
  finished: Finished[],
  landmarks: Contents['landmarks'],
): number | null {
  const isChapter = ({ kind, markdown }: Chapter) => kind === 'body' && markdown.length >= minMarkdown
  const start = landmarks.find(({ type }) => ['bodymatter', 'start', 'text'].includes(type))?.place ?? ''
  const from = Math.max(
    0,
    finished.findIndex(({ places }) => places.has(start)),
  )
  const found = [
    chapters.findIndex((chapter, at) => at >= from && isChapter(chapter)),
    chapters.findIndex(isChapter),
    chapters.findIndex(({ kind }) => kind === 'body'),
  ]
  return found.find((at) => at >= 0) ?? null
}
