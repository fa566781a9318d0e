import {
  appendDraft,
  chooseStarts,
  cutPage,
  type Draft,
  findKind,
  kindEvidenceOf,
  maxChapterText,
  titleOf,
  withoutTitle,
} from './chapter-draft.ts'
import { markdownOf } from './chapter-text.ts'
import type { Contents, ContentsEntry } from './contents.ts'
import type { Chapter, ReadBook } from './contract/read-book.ts'
import type { PackageDocument } from './package-document.ts'
import { pagesOf, readEmphasis, readPage, type Emphasis } from './pages.ts'
import { quoted, Refused } from './refused.ts'
import type { Archive } from './zip.ts'

const maxChapters = 2_000
/** A Bible has about 4,500,000. */
const maxText = 6_000_000

export async function readChapters(
  archive: Archive,
  document: PackageDocument,
  contents: Contents,
  bookTitle: string,
) {
  const findings: string[] = []
  const book = { contents, bookTitle, emphasis: await readEmphasis(archive, document) }
  const finished: Finished[] = []
  let [draft, length]: [Draft | undefined, number] = [undefined, 0]
  for await (const next of readDrafts(archive, document, contents, findings)) {
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
  return { ...arrange(finished, contents), findings }
}

async function* readDrafts(
  archive: Archive,
  document: PackageDocument,
  contents: Contents,
  findings: string[],
) {
  const starts = chooseStarts(contents.entries)
  for (const place of pagesOf(document)) {
    const page = await readPage(archive, place, contents).catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error
      findings.push(`The page ${quoted(place)} could not be read. ${error.message}`)
    })
    if (page) yield* cutPage(page, starts)
  }
}

type Book = { contents: Contents; bookTitle: string; emphasis: Emphasis }

/** Some programs divide a long chapter into several pages, of which the contents name the first. */
function isContinued(before: Draft, { entry, ...draft }: Draft, { contents, bookTitle }: Book): boolean {
  if (entry !== undefined || contents.entries.length === 0 || before.entry === undefined) return false
  const kindBefore = findKind(kindEvidenceOf(before), bookTitle) ?? 'body'
  const kind = findKind({ ...kindEvidenceOf({ entry, ...draft }), title: '' }, bookTitle)
  return kindBefore === 'body' && kind === undefined
}

type Finished = Pick<Draft, 'entry' | 'places'> & Chapter

function finish(draft: Draft, { bookTitle, emphasis }: Book, findings: string[]): Finished {
  const { entry, places, length } = draft
  const title = titleOf(draft)
  if (length > maxChapterText)
    findings.push(`Only the beginning of the chapter ${quoted(title)} was read: it is very long.`)
  const markdown = markdownOf(withoutTitle(draft), emphasis)
  return { entry, places, title, markdown, kind: findKind(kindEvidenceOf(draft), bookTitle) ?? 'body' }
}

function arrange(finished: Finished[], { entries, landmarks }: Contents) {
  const first = finished.findIndex(({ kind }) => kind === 'body')
  const last = finished.findLastIndex(({ kind }) => kind === 'body')
  const chapters = finished.map(({ title, markdown, kind }, at): Chapter => {
    if (kind === 'body') return { title, markdown, kind }
    if (at < first) return { title, markdown, kind: 'front' }
    return { title, markdown, kind: first >= 0 && at > last ? 'back' : kind }
  })
  const contents: ReadBook['contents'] =
    entries.length > 0
      ? entries.map((entry) => locate(entry, finished))
      : chapters.flatMap(({ title }, chapter) => (title === '' ? [] : [{ title, depth: 0, chapter }]))
  return { chapters, contents, firstChapter: findFirst(chapters, finished, landmarks) }
}

function locate(entry: ContentsEntry, finished: Finished[]) {
  const own = finished.findIndex((each) => each.entry === entry)
  const any = own < 0 ? finished.findIndex(({ places }) => places.has(entry.place)) : own
  return { title: entry.title, depth: entry.depth, chapter: any < 0 ? null : any }
}

/** A page that only says "Part One" is no chapter. */
const minMarkdown = 200

function findFirst(chapters: Chapter[], finished: Finished[], landmarks: Contents['landmarks']) {
  const isChapter = ({ kind, markdown }: Chapter) => kind === 'body' && markdown.length >= minMarkdown
  const start = landmarks.find(({ type }) => ['bodymatter', 'start', 'text'].includes(type))?.place ?? ''
  const from = finished.findIndex(({ places }) => places.has(start))
  const found = [
    chapters.findIndex((chapter, at) => at >= from && isChapter(chapter)),
    chapters.findIndex(isChapter),
    chapters.findIndex(({ kind }) => kind === 'body'),
  ]
  return found.find((at) => at >= 0) ?? null
}
