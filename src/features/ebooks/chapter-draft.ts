// A chapter while it is read: blocks of one page or several, and where the contents name it.
import { findKind, letters, type KindEvidence } from './chapter-kind.ts'
import { blocksOf, isOfTheWeb } from './chapter-text.ts'
import type { ContentsEntry } from './contents.ts'
import type { Page } from './pages.ts'
import { elementsNamed, limitTitle, textOf, type Element } from './tree.ts'

export const maxChapterText = 400_000
const minBodyChapters = 3

export type Draft = {
  entry: ContentsEntry | undefined
  places: Set<string>
  types: string[]
  blocks: Element[]
  length: number
}

/**
 * The entries that begin a chapter: each first one of a page, and those of the highest level. Where that makes hardly
 * any chapters, the next level is taken: there, parts or the whole book are in one page.
 */
export function chooseStarts(entries: ContentsEntry[]): Set<ContentsEntry> {
  const firsts = new Set([...Map.groupBy(entries, ({ place }) => place).values()].map(([first]) => first))
  const deepest = Math.max(0, ...entries.map(({ depth }) => depth))
  for (let maxDepth = 0; ; maxDepth += 1) {
    const chosen = entries.filter((entry) => entry.depth <= maxDepth || firsts.has(entry))
    const noEvidence = { types: [], text: '', linkShare: 0 }
    const bodies = chosen.filter(({ title }) => findKind({ title, ...noEvidence }, '') === undefined)
    if (bodies.length >= minBodyChapters || maxDepth >= deepest) return new Set(chosen)
  }
}

export function cutPage({ place, root, types }: Page, starts: ReadonlySet<ContentsEntry>): Draft[] {
  const entries = [...starts].filter((entry) => entry.place === place)
  const ids = new Set(entries.map(({ fragment }) => fragment).filter((id) => id !== undefined))
  const pieces = blocksOf(root, ids)
  const found = new Set(pieces.map((piece) => ('start' in piece ? piece.start : undefined)))
  const drafts: Draft[] = []
  const begin = (entry: ContentsEntry | undefined) =>
    drafts.push({ entry, places: new Set([place]), types, blocks: [], length: 0 })
  // A place that is not in the page is its beginning.
  begin(entries.find(({ fragment }) => fragment === undefined || !found.has(fragment)))
  for (const piece of pieces) {
    if ('start' in piece) begin(entries.find(({ fragment }) => fragment === piece.start))
    else addBlock(drafts.at(-1), piece)
  }
  return drafts.filter(({ length }) => length > 0)
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

export function kindEvidenceOf(draft: Draft): KindEvidence {
  const links = draft.blocks.flatMap((block) => elementsNamed(block, 'a')).filter((link) => !isOfTheWeb(link))
  const linked = links.reduce((sum, link) => sum + textOf(link).length, 0)
  const text = draft.blocks.slice(0, 100).map(textOf).join(' ')
  return { title: titleOf(draft), types: draft.types, text, linkShare: linked / Math.max(1, draft.length) }
}

const isHeading = ({ tagName }: Element) => /^h[1-6]$/.test(tagName)
const maxNumberLength = 30

function openingOf({ blocks }: Draft): Element[] {
  const opening = blocks.slice(0, 5)
  const end = opening.findIndex((block) => !isHeading(block) && textOf(block).length > maxNumberLength)
  return end < 0 ? opening : opening.slice(0, end)
}

export function titleOf(draft: Draft): string {
  const headings = openingOf(draft).filter(isHeading).map(textOf)
  const entry = draft.entry?.title
  // Contents made by a program may lack the space that a line break is.
  const same = entry && headings.find((heading) => letters(heading) === letters(entry))
  return limitTitle(same ?? entry ?? headings.join(': '))
}

/** The title is shown above the text, so headings that repeat it are left out. */
export function withoutTitle(draft: Draft): Element[] {
  const title = letters(titleOf(draft))
  const last = openingOf(draft).findLastIndex((block) => {
    const text = letters(textOf(block))
    return title === text || (isHeading(block) && title.includes(text))
  })
  return draft.blocks.slice(last + 1)
}
