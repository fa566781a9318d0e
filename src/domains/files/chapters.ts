// The choice of pieces that are a book's chapters and parts, the targets of its contents, and its first chapter.
import {
  type AboutBook,
  introductions,
  isPartTitle,
  findKind,
  isChapterTitle,
  isGeneric,
  isNumbered,
  letters,
  weightOf,
  isLabelled,
} from './chapter-kinds.ts'
import {
  type Draft,
  adoptEntry,
  appendDraft,
  beginsAnew,
  chooseStarts,
  cutAtHeadings,
  cutPage,
  kindEvidenceOf,
  maxChapterText,
  titleOf,
  withoutTitle,
} from './chapter-draft.ts'
import type { Contents, ContentsEntry } from './contents.ts'
import type { Chapter, ReadBook } from '#contract/files/read-book.ts'
import { markdownOf } from './chapter-text.ts'
import type { PackageDocument } from './package-document.ts'
import { pagesOf, readPage } from './epub-pages.ts'
import { readEmphasis, type Emphasis } from './epub-emphasis.ts'
import { quoted, Refused } from './refused.ts'
import type { Archive } from './zip.ts'

type Finished = Pick<Draft, 'entry' | 'places'> & Chapter

function arrange(all: Finished[], { entries, landmarks }: Contents, about: AboutBook) {
  const kinds = inheritKinds(withTitlePage(withBody(all), about), entries, about)
  const finished = joinSections(asParts(kinds, entries, about))
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
  return { chapters, contents, firstChapter }
}

/** A book of nothing but an introduction begins with it. */
function withBody(all: Finished[]): Finished[] {
  if (all.some(({ kind }) => kind === 'body')) return all
  return all.map((each) => (introductions.test(each.title) ? { ...each, kind: 'body' } : each))
}

const maxTitlePageText = 2_000

/** A first page under the book's own title is no chapter where it is short beside the chapters: it says what the book is. */
function withTitlePage(all: Finished[], { title, subtitle }: AboutBook): Finished[] {
  const at = all.findIndex(({ kind }) => kind !== 'front')
  const first = all[at]
  const names = [title, title + subtitle].map(letters).filter(Boolean)
  if (first?.kind !== 'body' || !names.includes(letters(first.title))) return all
  const others = all.filter((each) => each.kind === 'body' && each !== first)
  const usual = median(others.map(({ markdown }) => weightOf(markdown)))
  const weight = weightOf(first.markdown)
  return weight < maxTitlePageText && 2 * weight < usual ? all.with(at, { ...first, kind: 'front' }) : all
}

/** A piece below a preface, an appendix or the like belongs to it, unless that would be the whole book. */
function inheritKinds(all: Finished[], entries: ContentsEntry[], { title }: AboutBook): Finished[] {
  const isMatter = (each: Finished) =>
    each.kind === 'back' ||
    (each.kind === 'front' && weightOf(each.markdown) >= minText && letters(each.title) !== letters(title))
  const matter = new Map(all.filter(isMatter).map(({ entry, kind }) => [entry, kind]))
  const inherited = all.map((each): Finished => {
    const above = each.kind === 'body' && each.entry ? entriesAbove(each.entry, entries) : []
    const kind = above.map((entry) => matter.get(entry)).find((result) => result !== undefined)
    return kind ? { ...each, kind } : each
  })
  return inherited.some(({ kind }) => kind === 'body') ? inherited : all
}

/** Returns the nearest first. */
function entriesAbove(entry: ContentsEntry, entries: ContentsEntry[]): ContentsEntry[] {
  const above: ContentsEntry[] = []
  let { depth } = entry
  for (let at = entries.indexOf(entry) - 1; at >= 0 && depth > 0; at -= 1) {
    const before = entries[at]
    if (!before || before.depth >= depth) continue
    above.push(before)
    depth = before.depth
  }
  return above
}

function asParts(all: Finished[], entries: ContentsEntry[], about: AboutBook): Finished[] {
  const result: Finished[] = []
  for (const each of all.toReversed()) {
    const isOne = isPart(each, all, entries, about) || isAloneBefore(each, result.at(-1))
    result.push(isOne ? { ...each, kind: 'part' } : each)
  }
  return result.toReversed()
}

/** Some programs put the sections of a numbered chapter on pages of their own, as long as the chapter's first one. */
function joinSections(all: Finished[]): Finished[] {
  const isJoined = areSectionsOf(all)
  const joined: Finished[] = []
  for (let at = 0; at < all.length; at += 1) {
    const [chapter, ...below] = chapterFrom(all, at)
    if (!chapter) continue
    const sections = isJoined(chapter, below) ? below : []
    const texts = sections.map(
      ({ title, markdown }) => `## ${title}\n\n${markdown.replaceAll(/^## /gm, '### ')}`,
    )
    const places = new Set(chapter.places)
    for (const section of sections) for (const place of section.places) places.add(place)
    joined.push({ ...chapter, places, markdown: [chapter.markdown, ...texts].join('\n\n') })
    at += sections.length
  }
  return joined
}

/** A chapter, and behind it what stands below it in the contents, to the last piece that is no notes or the like. */
function chapterFrom(all: Finished[], at: number): Finished[] {
  const chapter = all[at]
  if (!chapter?.entry || chapter.kind !== 'body' || !isNumbered(chapter.title)) return all.slice(at, at + 1)
  const { depth } = chapter.entry
  // A title such as “Copyright” or “Install” says what a section is of, not what the piece is.
  const isBelow = ({ kind, entry }: Finished) => kind !== 'part' && entry !== undefined && entry.depth > depth
  const end = all.findIndex((each, place) => place > at && !isBelow(each))
  const below = all.slice(at, end < 0 ? undefined : end)
  return below.slice(0, 1 + below.findLastIndex(({ kind }) => kind === 'body'))
}

/**
 * Tells whether the pieces below a numbered chapter are its sections. They are chapters where its own page is short beside
 * them, unless most numbered chapters of the book have long pages.
 */
function areSectionsOf(all: Finished[]) {
  const isShort = (chapter: Finished, below: Finished[]) =>
    4 * weightOf(chapter.markdown) < median(below.map(({ markdown }) => weightOf(markdown)))
  const withBelow = all.flatMap((_, at) => {
    const [chapter, ...below] = chapterFrom(all, at)
    return chapter && below.length > 0 ? [isShort(chapter, below)] : []
  })
  const areMostLong = 2 * withBelow.filter((short) => !short).length > withBelow.length
  return (chapter: Finished, below: Finished[]) => {
    const isAbove = isPartTitle(chapter.title) || below.some(({ title }) => isChapterTitle(title))
    return !isAbove && (areMostLong || !isShort(chapter, below))
  }
}

/** Chapters stand below it in the contents, and its own page says hardly anything. */
function isPart(chapter: Finished, all: Finished[], entries: ContentsEntry[], { title }: AboutBook): boolean {
  const { entry, kind, markdown } = chapter
  if (!entry || kind !== 'body' || weightOf(markdown) >= minText || letters(entry.title) === letters(title))
    return false
  const next = entries[entries.indexOf(entry) + 1]
  return next !== undefined && next.depth > entry.depth && all.some((each) => each.entry === next)
}

/** A heading without text, before a chapter that has some, or before another part. */
function isAloneBefore({ kind, markdown }: Finished, next: Finished | undefined): boolean {
  const isBefore = next?.kind === 'part' || (next?.kind === 'body' && next.markdown !== '')
  return kind === 'body' && markdown === '' && isBefore
}

/** Some programs put the whole book below its title. */
function withoutBook(entries: ContentsEntry[], { title, subtitle }: AboutBook): ContentsEntry[] {
  const [first, ...others] = entries
  const names = [title, title + subtitle].map(letters).filter(Boolean)
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

function median(numbers: number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

function findFirst(chapters: Chapter[], finished: Finished[], landmarks: Contents['landmarks']) {
  const isBody = ({ kind, markdown }: Chapter) => kind === 'body' && markdown !== ''
  const weights = chapters.filter(isBody).map(({ markdown }) => weightOf(markdown))
  // The chapters of a small book may be short.
  const least = Math.min(minText, median(weights) / 4)
  const isChapter = (chapter: Chapter) => isBody(chapter) && weightOf(chapter.markdown) >= least
  const start = landmarks.find(({ type }) => ['bodymatter', 'start', 'text'].includes(type))?.place ?? ''
  const from = finished.findIndex(({ places }) => places.has(start))
  const result = [
    chapters.findIndex((chapter, at) => at >= from && isChapter(chapter)),
    chapters.findIndex(isChapter),
    chapters.findIndex(isBody),
  ]
  return result.find((at) => at >= 0) ?? null
}

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

/** The first page may say the title where no file does. */
function takeTitle([first, second]: Finished[], book: Book): Book {
  if (book.about.title !== '' || !first || !second || first.markdown.length > maxTitlePage) return book
  first.kind = 'front'
  return { ...book, about: { ...book.about, title: first.title } }
}

const fewChapters = 3

/** An entry of a flat list in the file of a chapter is its section, unless it has a number or is a preface or the like. */
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
  // The first of several entries with one title is meant.
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
