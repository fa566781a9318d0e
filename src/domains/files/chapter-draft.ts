// A book's pages cut into pieces where its contents lead, or where its headings stand.
import { blocksOf, isOfTheWeb } from './chapter-text.ts'
import {
  type AboutBook,
  findKind,
  isMatterTitle,
  isPartTitle,
  type KindEvidence,
  kindNamed,
  isGeneric,
  isLabelled,
  isNumber,
  isSameTitle,
  joinTitles,
  letters,
  weightOf,
} from './chapter-kinds.ts'
import { type ContentsEntry, isTitle, markHeadings, startsOf } from './contents.ts'
import type { Emphasis } from './epub-emphasis.ts'
import type { Page } from './epub-pages.ts'
import { elementsNamed, limitTitle, textOf, type Element } from './xml.ts'

export const maxChapterText = 400_000
const minBodyChapters = 3

export type Draft = {
  entry: ContentsEntry | undefined
  places: Set<string>
  types: string[]
  hints: string[]
  blocks: Element[]
  length: number
}

// Each first entry of a page begins a chapter, and those of the highest level. Where these are hardly any chapters, as where
// the whole book is in one page, the next level does, too.
export function chooseStarts(entries: ContentsEntry[], about: AboutBook): Set<ContentsEntry> {
  const firsts = new Set([...Map.groupBy(entries, ({ place }) => place).values()].map(([first]) => first))
  const belowParts = new Set(entries.filter((entry, at) => isBelowPart(entry, entries.slice(0, at))))
  const deepest = Math.max(0, ...entries.map(({ depth }) => depth))
  const none = { types: [], hints: [], text: '', linkShare: 0 }
  const isBody = ({ title }: ContentsEntry) =>
    letters(title) !== letters(about.title) && findKind({ title, ...none }, about) === undefined
  for (let maxDepth = 0; ; maxDepth += 1) {
    const chosen = entries.filter(
      (entry) => entry.depth <= maxDepth || firsts.has(entry) || belowParts.has(entry),
    )
    if (chosen.filter(isBody).length >= minBodyChapters || maxDepth >= deepest) return new Set(chosen)
  }
}

export function cutPage(page: Page, starts: ReadonlySet<ContentsEntry>, emphasis: Emphasis): Draft[] {
  const { place, root } = page
  const entries = [...starts].filter((entry) => entry.place === place)
  const ids = new Set(entries.map(({ fragment }) => fragment).filter((id) => id !== undefined))
  const pieces = blocksOf(root, ids)
  const result = new Set(pieces.map((piece) => ('start' in piece ? piece.start : undefined)))
  const { drafts, begin } = collect(page)
  // A place that is not in the page is its beginning. Some programs name one page for all entries.
  const whole = entries.filter(({ fragment }) => fragment === undefined || !result.has(fragment))
  begin(whole.length === 1 ? whole[0] : undefined)
  const highest = highestIn(pieces)
  for (const piece of pieces) {
    const named = 'start' in piece ? undefined : nextNamed(piece, whole)
    if ('start' in piece)
      begin(
        entries.find(({ fragment }) => fragment === piece.start),
        piece.types,
      )
    else if (named) begin(named)
    else if (isUnlisted(piece, drafts.at(-1), highest, emphasis)) begin(undefined)
    if (!('start' in piece)) addBlock(drafts.at(-1), asHeading(piece, drafts.at(-1), emphasis))
  }
  return drafts.filter(({ length }) => length > 0)
}

/** The highest headings to which the entries of a page lead. */
function highestIn(pieces: ReturnType<typeof blocksOf>): string {
  const tags = pieces.flatMap((piece, at) => {
    if (!('start' in piece)) return []
    const heading = pieces.slice(at, at + 3).find((each) => 'tagName' in each && isHeading(each))
    return heading && 'tagName' in heading ? [heading.tagName] : []
  })
  return tags.length < 2 ? '' : (tags.toSorted()[0] ?? '')
}

/** True for what the contents leave out: the chapters of a part, and what stands before and behind the chapters. */
function isUnlisted(block: Element, draft: Draft | undefined, highest: string, emphasis: Emphasis): boolean {
  if (!draft || draft.blocks.length === 0) return false
  const isInPart = isPartTitle(draft.entry?.title ?? '') || (!draft.entry && isLabelled(titleOf(draft)))
  if (isInPart && isLabelled(textOf(block)) && isTitle(block, emphasis)) return true
  return isHeading(block) && block.tagName <= highest && isMatterTitle(textOf(block))
}

/** The title of a piece that the contents do not name, where only its look tells that it is one. */
function asHeading(block: Element, draft: Draft | undefined, emphasis: Emphasis): Element {
  const isFirst = draft?.blocks.length === 0 && draft.entry === undefined
  const isTelling = isFirst && isTitle(block, emphasis) && !isHeading(block) && isTitleOfItsOwn(textOf(block))
  return isTelling ? { ...block, tagName: 'h2' } : block
}

const isTitleOfItsOwn = (text: string) => isMatterTitle(text) || isPartTitle(text) || isLabelled(text)

/** True where a page that the contents do not name begins with a title, and does not continue what stands before it. */
export function beginsAnew(draft: Draft, before: Draft, emphasis: Emphasis): boolean {
  const [first] = draft.blocks
  if (!first || !isTitle(first, emphasis)) return false
  const above = openingOf(before).find(isHeading)
  const isHigh = isHeading(first) && above !== undefined && first.tagName < above.tagName
  return isHigh || isTitleOfItsOwn(textOf(first))
}

/** A part’s chapters are chapters, however deep the part stands. */
function isBelowPart({ depth }: ContentsEntry, before: ContentsEntry[]): boolean {
  const above = before.findLast((entry) => entry.depth < depth)
  return above !== undefined && above.depth === depth - 1 && isPartTitle(above.title)
}

/** Returns the one with the words of this heading, of several entries that name the same place. */
function nextNamed(block: Element, whole: ContentsEntry[]): ContentsEntry | undefined {
  if (whole.length < 2 || !isHeading(block)) return undefined
  const at = whole.findIndex(({ title }) => isSameTitle(title, textOf(block)))
  return at < 0 ? undefined : whole.splice(at, 1)[0]
}

/** Serves a book whose contents lead nowhere. */
export function cutAtHeadings(page: Page, emphasis: Emphasis, isOneOfFew: boolean): Draft[] {
  const blocks = blocksOf(page.root).flatMap((piece) => ('start' in piece ? [] : [piece]))
  const marked = markHeadings(blocks, emphasis)
  const starts = startsOf(marked, isOneOfFew)
  const { drafts, begin } = collect(page)
  begin(undefined)
  for (const block of marked) {
    if (starts.has(block) && !isNumberAlone(drafts.at(-1))) begin(undefined)
    addBlock(drafts.at(-1), block)
  }
  return drafts.filter(({ length }) => length > 0)
}

/** True where nothing stands there yet but a number, or nothing at all: the title follows. */
function isNumberAlone(draft: Draft | undefined): boolean {
  return draft?.blocks.every((block) => isNumber(textOf(block))) ?? false
}

function collect({ place, types, hints }: Page) {
  const drafts: Draft[] = []
  return {
    drafts,
    begin: (entry: ContentsEntry | undefined, own: string[] = []) =>
      drafts.push({
        entry,
        places: new Set([place]),
        types: kindNamed(own) ? own : [...own, ...types],
        hints,
        blocks: [],
        length: 0,
      }),
  }
}

function addBlock(draft: Draft | undefined, block: Element) {
  if (!draft || draft.length > maxChapterText) return
  draft.blocks.push(block)
  draft.length += textOf(block).length
}

export function appendDraft(draft: Draft, next: Draft) {
  for (const place of next.places) draft.places.add(place)
  for (const block of next.blocks) addBlock(draft, block)
}

/** Some programs name the first page for every entry: the entry with the words of the piece's heading is the right one. */
export function adoptEntry(draft: Draft, entries: ReadonlyMap<string, ContentsEntry>): void {
  const [heading] = openingOf(draft).filter(isHeading).map(textOf)
  if (!heading || (draft.entry && isSameTitle(draft.entry.title, heading))) return
  const meant = entries.get(letters(heading))
  if (meant) draft.entry = meant
}

/** Characters; a list of contents has its titles beside the links, and its lines are short. */
const [maxPerLink, maxLine] = [60, 100]

export function kindEvidenceOf(draft: Draft): KindEvidence {
  const links = draft.blocks.flatMap((block) => elementsNamed(block, 'a')).filter((link) => !isOfTheWeb(link))
  const linked = links.reduce((sum, link) => sum + textOf(link).length, 0)
  const text = draft.blocks.slice(0, 100).map(textOf).join(' ')
  const weights = draft.blocks.flatMap(linesOf).map(weightOf)
  const sum = (all: number[]) => all.reduce((total, weight) => total + weight, 0)
  const isShort = sum(weights.filter((weight) => weight > maxLine)) < sum(weights) / 2
  const isList = links.length >= 2 && draft.length / links.length < maxPerLink && isShort
  const { types, hints, length } = draft
  return { title: titleOf(draft), types, hints, text, linkShare: isList ? 1 : linked / Math.max(1, length) }
}

function linesOf(block: Element): string[] {
  const items = elementsNamed(block, 'li', 'dt', 'dd').filter(
    (item) => elementsNamed(item, 'li').length === 0,
  )
  return (items.length > 0 ? items : [block]).map(textOf)
}

const isHeading = ({ tagName }: Element) => /^h[1-6]$/.test(tagName)
const maxNumberLength = 30

function openingOf({ blocks, entry }: Draft): Element[] {
  const opening = blocks.slice(0, 5)
  const end = opening.findIndex((block) => {
    const text = textOf(block)
    const isTitle = isHeading(block) || (entry && isSameTitle(text, entry.title))
    return !isTitle && text.length > maxNumberLength
  })
  return end < 0 ? opening : opening.slice(0, end)
}

/** The headings that follow each other at the beginning: a number may stand above the title. */
function headingsOf(draft: Draft): string[] {
  const opening = openingOf(draft)
  const from = opening.findIndex(isHeading)
  const end = opening.findIndex((block, at) => at > from && !isHeading(block))
  const headings = from < 0 ? [] : opening.slice(from, end < 0 ? undefined : end)
  const [first, second] = headings.map(textOf)
  if (first === undefined || second === undefined) return first === undefined ? [] : [first]
  const isSameRank = headings[0]?.tagName === headings[1]?.tagName
  return isNumber(first) || isSameRank ? [first, second] : [first]
}

export function titleOf(draft: Draft): string {
  const headings = headingsOf(draft)
  const entry = draft.entry?.title ?? ''
  // Contents made by a program may lack the space that a line break is.
  const same = headings.find((heading) => letters(heading) === letters(entry))
  if (entry === '' || isGeneric(entry)) return limitTitle(joinTitles(headings))
  if (same !== undefined && !isNumber(entry)) return limitTitle(same)
  const whole = joinTitles(headings)
  const isCut = isNumber(entry) && letters(whole).startsWith(letters(entry))
  return limitTitle(isCut ? whole : (same ?? entry))
}

export function withoutTitle(draft: Draft): Element[] {
  const title = titleOf(draft)
  const opening = openingOf(draft)
  const last = opening.findLastIndex((block) => {
    const text = textOf(block)
    const isInTitle = isHeading(block) && letters(title).includes(letters(text))
    return isSameTitle(title, text) || isInTitle || (isNumber(text) && opening.some(isHeading))
  })
  return draft.blocks.slice(last + 1)
}
