import { blocksOf, isOfTheWeb } from './chapter-text.ts'
import type { ContentsEntry } from './contents.ts'
import type { Page } from './pages.ts'
import { elementsNamed, limitTitle, textOf, type Element } from './xml.ts'
import type { Chapter } from './contract/read-book.ts'

export const maxChapterText = 400_000
const minBodyChapters = 3

export type Draft = {
  entry: ContentsEntry | undefined
  places: Set<string>
  types: string[]
  blocks: Element[]
  length: number
}

// Each first entry of a page begins a chapter, and those of the highest level. Where these are hardly any chapters, as where
// the whole book is in one page, the next level does, too.
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

export function kindEvidenceOf(draft: Draft) {
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

export function withoutTitle(draft: Draft): Element[] {
  const title = letters(titleOf(draft))
  const last = openingOf(draft).findLastIndex((block) => {
    const text = letters(textOf(block))
    return title === text || (isHeading(block) && title.includes(text))
  })
  return draft.blocks.slice(last + 1)
}

type ChapterKind = Chapter['kind']

/** EPUB's vocabulary (Structural Semantics 1.1) and that of EPUB 2's guide. */
const typesOfKinds = {
  body: 'chapter part prologue epilogue conclusion afterword volume',
  front:
    'acknowledgements acknowledgments contributors copyright copyright-page cover dedication epigraph errata foreword frontispiece frontmatter halftitle halftitlepage imprint introduction landmarks loi lot preface preamble seriespage title-page titlepage toc',
  back: 'appendix backmatter bibliography colophon endnotes footnotes glossary index notes other-credits rearnotes',
} satisfies Record<ChapterKind, string>
const kinds = ['body', 'front', 'back'] as const

const frontTitles = new RegExp(
  [
    '^(the )?(cover|half[- ]?title|title ?page|copyright( .*)?|imprint|legal notice|dedication|epigraph|(table of |brief )?contents|toc|',
    'acknowledge?ments?|preface|foreword|introduction|praise( for .*)?|advance praise|list of (figures|illustrations|maps|tables)|frontispiece|',
    'titel(seite|blatt)?|impressum|inhalt(sverzeichnis)?|widmung|vorwort|einleitung|danksagung|urheberrecht|',
    'couverture|page de titre|mentions légales|sommaire|table des matières|dédicace|préface|avant-propos|remerciements|',
    'portada|créditos|derechos de autor|índice|contenido|dedicatoria|prólogo|prefacio|agradecimientos|introducción|',
    'copertina|frontespizio|indice|sommario|dedica|prefazione|introduzione|ringraziamenti|',
    'capa|folha de rosto|sumário|dedicatória|prefácio|introdução|agradecimentos|',
    'omslag|titelpagina|inhoud(sopgave)?|voorwoord|inleiding|',
    'обложка|титульный лист|содержание|оглавление|посвящение|предисловие|введение|εξώφυλλο|περιεχόμενα|πρόλογος|εισαγωγή)$',
  ].join(''),
  'iu',
)
const backTitles =
  /^(the )?(full project gutenberg.*|project gutenberg.*|about (the|this) (authors?|book|publisher|translator)|also by .*|other books by .*|appendix.*|bibliography|colophon|credits|end ?notes|footnotes|glossary|index|notes|works cited|anhang.*|über (den autor|die autorin|das buch)|register|literaturverzeichnis|anmerkungen)$/iu

type Evidence = ReturnType<typeof kindEvidenceOf>

export function findKind({ title, types, text, linkShare }: Evidence, bookTitle: string) {
  const named = kinds.find((kind) => types.some((type) => typesOfKinds[kind].split(' ').includes(type)))
  if (named) return named
  if (frontTitles.test(title.trim())) return 'front'
  if (backTitles.test(title.trim())) return 'back'
  if (isCopyright(text) || linkShare > 0.6 || isTitlePage(text, title, bookTitle)) return 'front'
  return types.includes('bodymatter') ? 'body' : undefined
}

function isCopyright(text: string) {
  return text.length < 4_000 && /©|\bISBN\b|all rights reserved|copyright (\(c\) )?\d{4}/i.test(text)
}

function isTitlePage(text: string, title: string, bookTitle: string) {
  const [page, book] = [letters(text), letters(bookTitle)]
  const hasBookTitle = title === '' || letters(title) === book
  return book !== '' && hasBookTitle && text.length < 400 && page.startsWith(book)
}

function letters(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}
