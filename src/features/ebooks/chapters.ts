import { type AboutBook, findKind } from './chapter-kinds.ts'
import {
  adoptEntry,
  appendDraft,
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
import type { Chapter, ReadBook } from './contract/read-book.ts'
import type { PackageDocument } from './package-document.ts'
import { pagesOf, readEmphasis, readPage, type Emphasis } from './pages.ts'
import { quoted, Refused } from './refused.ts'
import { isGeneric, letters } from './titles.ts'
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
  const entries = usableEntries(contents.entries, about)
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
  return { ...arrange(finished, takeTitle(finished, book)), findings }
}

const maxTitlePage = 100

/** Where no file says the title, the first page may. */
function takeTitle([first, second]: Finished[], book: Book): Book {
  if (book.about.title !== '' || !first || !second || first.markdown.length > maxTitlePage) return book
  first.kind = 'front'
  return { ...book, about: { ...book.about, title: first.title } }
}

type Book = { contents: Contents; about: AboutBook; emphasis: Emphasis }

/** A list that names hardly anything is none: some programs write one of a single entry. */
function usableEntries(entries: ContentsEntry[], about: AboutBook): ContentsEntry[] {
  const isTelling = ({ title }: ContentsEntry) =>
    !isGeneric(title) && !letters(about.title).includes(letters(title))
  return entries.filter(isTelling).length > 1 ? entries : []
}

const fewPages = 3

async function* readDrafts(
  archive: Archive,
  document: PackageDocument,
  { contents, about, emphasis }: Book,
  findings: string[],
) {
  const starts = chooseStarts(contents.entries, about)
  const places = pagesOf(archive, document)
  for (const place of places) {
    const page = await readPage(archive, place, contents.landmarks).catch((error: unknown) => {
      if (!(error instanceof Refused)) throw error
      findings.push(`The page ${quoted(place)} could not be read. ${error.message}`)
    })
    if (!page) continue
    if (contents.entries.length === 0) yield* cutAtHeadings(page, emphasis, places.length <= fewPages)
    for (const draft of contents.entries.length === 0 ? [] : cutPage(page, starts)) {
      adoptEntry(draft, contents.entries)
      yield draft
    }
  }
}

/** Some programs divide a long chapter into several pages, of which the contents name the first. */
function isContinued(before: Draft, { entry, ...draft }: Draft, { contents, about }: Book): boolean {
  if (entry !== undefined || contents.entries.length === 0 || before.entry === undefined) return false
  const kindBefore = findKind(kindEvidenceOf(before), about) ?? 'body'
  const kind = findKind({ ...kindEvidenceOf({ entry, ...draft }), title: '' }, about)
  return kindBefore === 'body' && kind === undefined
}

type Finished = Pick<Draft, 'entry' | 'places'> & Chapter

function finish(draft: Draft, { about, emphasis }: Book, findings: string[]): Finished {
  const { entry, places, length } = draft
  const title = titleOf(draft)
  if (length > maxChapterText)
    findings.push(`Only the beginning of the chapter ${quoted(title)} was read: it is very long.`)
  const markdown = markdownOf(withoutTitle(draft), emphasis)
  return { entry, places, title, markdown, kind: findKind(kindEvidenceOf(draft), about) ?? 'body' }
}

function arrange(all: Finished[], { contents: { entries, landmarks }, about }: Book) {
  const finished = all.map((each, at) =>
    isPart(each, all, entries, about) || isAloneBefore(each, all[at + 1]) ? asPart(each) : each,
  )
  const isBody = ({ kind }: Chapter) => kind === 'body' || kind === 'part'
  const [first, last] = [finished.findIndex(isBody), finished.findLastIndex(isBody)]
  const chapters = finished.map(({ title, markdown, kind }, at): Chapter => {
    if (kind === 'body' || kind === 'part') return { title, markdown, kind }
    if (at < first) return { title, markdown, kind: 'front' }
    return { title, markdown, kind: first >= 0 && at > last ? 'back' : kind }
  })
  const contents: ReadBook['contents'] =
    entries.length > 0
      ? withoutBook(entries, about)
          .filter(({ title }) => !isGeneric(title))
          .map((entry) => locate(entry, finished))
      : chapters.flatMap(({ title }, chapter) => (title === '' ? [] : [{ title, depth: 0, chapter }]))
  const firstChapter = findFirst(chapters, finished, landmarks)
  return { ...(about.title && { title: about.title }), chapters, contents, firstChapter }
}

const asPart = (chapter: Finished): Finished => ({ ...chapter, kind: 'part' })

/** Chapters stand below it in the contents, and its own page says hardly anything. */
function isPart(chapter: Finished, all: Finished[], entries: ContentsEntry[], { title }: AboutBook): boolean {
  const { entry, kind, markdown } = chapter
  if (!entry || kind !== 'body' || weightOf(markdown) >= minText || letters(entry.title) === letters(title))
    return false
  const next = entries[entries.indexOf(entry) + 1]
  return next !== undefined && next.depth > entry.depth && all.some((each) => each.entry === next)
}

/** A heading without text, before a chapter that has some. */
function isAloneBefore({ kind, markdown }: Finished, next: Finished | undefined): boolean {
  return kind === 'body' && markdown === '' && next?.kind === 'body' && next.markdown !== ''
}

/** Some programs put the whole book below its title. */
function withoutBook(entries: ContentsEntry[], { title, subtitle }: AboutBook): ContentsEntry[] {
  const [first, ...others] = entries
  const names = [title, title + subtitle].map(letters)
  if (!first || others.length === 0 || !names.includes(letters(first.title))) return entries
  const isAbove = others.every(({ depth }) => depth > first.depth)
  return isAbove ? others.map((entry) => ({ ...entry, depth: entry.depth - 1 })) : others
}

function locate(entry: ContentsEntry, finished: Finished[]) {
  const isOwn = ({ entry: own }: Finished) =>
    own?.place === entry.place && own.fragment === entry.fragment && own.title === entry.title
  const own = finished.findIndex(isOwn)
  const any = own < 0 ? finished.findIndex(({ places }) => places.has(entry.place)) : own
  return { title: entry.title, depth: entry.depth, chapter: any < 0 ? null : any }
}

const minText = 200

/** A character of Chinese or Japanese says what several letters do. */
function weightOf(text: string): number {
  const han = text.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/gu)?.length ?? 0
  return text.length + 2 * han
}

function findFirst(chapters: Chapter[], finished: Finished[], landmarks: Contents['landmarks']) {
  const isBody = ({ kind }: Chapter) => kind === 'body'
  const isChapter = (chapter: Chapter) => isBody(chapter) && weightOf(chapter.markdown) >= minText
  const start = landmarks.find(({ type }) => ['bodymatter', 'start', 'text'].includes(type))?.place ?? ''
  const from = finished.findIndex(({ places }) => places.has(start))
  const found = [
    chapters.findIndex((chapter, at) => at >= from && isChapter(chapter)),
    chapters.findIndex(isChapter),
    chapters.findIndex(isBody),
  ]
  return found.find((at) => at >= 0) ?? null
}
