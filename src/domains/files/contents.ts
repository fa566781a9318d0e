// The headings of pages that no contents describe. Many programs write them as paragraphs, only larger or bolder.
import { posix } from 'node:path'
import { type Landmark, pagesOf } from './epub-pages.ts'
import { placeOf } from './epub-places.ts'
import type { PackageDocument } from './package-document.ts'
import type { Emphasis } from './epub-emphasis.ts'
import {
  attribute,
  type Element,
  elementsNamed,
  limitTitle,
  readXhtml,
  type Root,
  textOf,
  typesOf,
  elementsIn,
} from './xml.ts'
import type { Archive } from './zip.ts'
import { isChapterTitle, isNumber, weightOf } from './chapter-kinds.ts'

export type ContentsEntry = {
  title: string
  depth: number
  place: string
  fragment: string | undefined
}

export type Contents = {
  entries: ContentsEntry[]
  landmarks: Landmark[]
  /** EPUB 2 has the title and the authors beside the contents. */
  title: string
  authors: string[]
}

const maxEntries = 2_000

export async function readContents(archive: Archive, book: PackageDocument): Promise<Contents> {
  const items = [...book.items.values()]
  const modern = await open(items.find(({ properties }) => properties.includes('nav'))?.href)
  const older = await open(items.find(({ type }) => type === 'application/x-dtbncx+xml')?.href)
  const entries = modern ? readNavigation(modern, archive) : []
  const all = (entries.length > 0 ? entries : older ? readNcx(older, archive) : []).slice(0, maxEntries)
  return {
    entries: inReadingOrder(all, pagesOf(archive, book)),
    landmarks: [...(modern ? readLandmarks(modern, archive) : []), ...readGuide(book, archive)],
    title: limitTitle(textOf(elementsNamed(older?.root, 'doctitle')[0])),
    authors: elementsNamed(older?.root, 'docauthor').map((each) => limitTitle(textOf(each))),
  }

  async function open(href: string | undefined): Promise<Page | undefined> {
    const place = href === undefined ? '' : placeOf(archive, href, book.folder)
    const entry = archive.entries.get(place)
    return entry && { root: readXhtml(await archive.read(entry)), place }
  }
}

type Page = { root: Root; place: string }

/** The file that is read is meant where a name is wrong and several files end in it. */
function inReadingOrder(entries: ContentsEntry[], pages: string[]): ContentsEntry[] {
  const read = new Set(pages)
  const byName = Map.groupBy(pages, (place) => posix.basename(place))
  return entries.map((entry) => {
    const [meant, other] = byName.get(posix.basename(entry.place)) ?? []
    const isWrong = !read.has(entry.place) && meant !== undefined && other === undefined
    return isWrong ? { ...entry, place: meant } : entry
  })
}

function readNavigation({ root, place }: Page, archive: Archive) {
  const navs = elementsNamed(root, 'nav')
  const nav = navs.find((each) => typesOf(each).includes('toc')) ?? navs[0]
  const [list] = elementsNamed(nav, 'ol')
  return list ? readList(list, 0, place, archive) : []
}

function readList(list: Element, depth: number, page: string, archive: Archive): ContentsEntry[] {
  return childrenOf(list, 'li').flatMap((item) => {
    const [link] = childrenOf(item, 'a')
    const nested = childrenOf(item, 'ol').flatMap((each) => readList(each, depth + 1, page, archive))
    return link ? entryOf(textOf(link), attribute(link, 'href'), depth, page, archive).concat(nested) : nested
  })
}

function readNcx({ root, place }: Page, archive: Archive) {
  const [map] = elementsNamed(root, 'navmap')
  return map ? readPoints(map, 0, place, archive) : []
}

function readPoints(parent: Element, depth: number, page: string, archive: Archive): ContentsEntry[] {
  return childrenOf(parent, 'navpoint').flatMap((point) => {
    const [label] = childrenOf(point, 'navlabel')
    const [content] = childrenOf(point, 'content')
    const entry = entryOf(textOf(label), attribute(content, 'src'), depth, page, archive)
    return entry.concat(readPoints(point, depth + 1, page, archive))
  })
}

function entryOf(
  title: string,
  href: string | undefined,
  depth: number,
  page: string,
  archive: Archive,
): ContentsEntry[] {
  if (title === '' || href === undefined) return []
  const [path = '', fragment] = href.split('#', 2)
  const place = path === '' ? page : placeOf(archive, path, posix.dirname(page))
  return [{ title: limitTitle(title), depth, place, fragment: fragment || undefined }]
}

function readLandmarks({ root, place }: Page, archive: Archive) {
  const nav = elementsNamed(root, 'nav').find((each) => typesOf(each).includes('landmarks'))
  return elementsNamed(nav, 'a').flatMap((link) => {
    const target = targetOf(link, posix.dirname(place), archive)
    return typesOf(link).map((type) => Object.assign({ type }, target))
  })
}

function readGuide({ root, folder }: PackageDocument, archive: Archive) {
  return elementsNamed(root, 'reference').map((each) => {
    const type = (attribute(each, 'type') ?? '').toLowerCase()
    return Object.assign({ type }, targetOf(each, folder, archive))
  })
}

function targetOf(link: Element, folder: string, archive: Archive) {
  const href = attribute(link, 'href') ?? ''
  return { place: placeOf(archive, href, folder), fragment: href.split('#', 2)[1] || undefined }
}

function childrenOf(parent: Element, name: string) {
  return parent.children.filter((child) => child.type === 'element').filter(({ tagName }) => tagName === name)
}

const isHeading = ({ tagName }: Element) => /^h[1-6]$/.test(tagName)
const maxTitle = 100
const maxBareTitle = 60
const minText = 100

/** Paragraphs that look like headings become some where a page has none. */
export function markHeadings(blocks: Element[], emphasis: Emphasis): Element[] {
  if (blocks.some(isHeading)) return blocks
  const isAboveText = (block: Element, at: number) =>
    isTitleLine(block, maxBareTitle) && weightOf(textOf(blocks[at + 1])) >= minText
  const looks = [
    (block: Element) => isTitleLine(block, maxTitle) && isNamedHeading(block),
    (block: Element) => isTitleLine(block, maxTitle) && isBoldWhole(block, emphasis),
    (block: Element, at: number) =>
      isTitleLine(block, maxTitle) &&
      (isChapterTitle(textOf(block)) || (isNumber(textOf(blocks[at - 1])) && isAboveText(block, at))),
    isAboveText,
  ]
  for (const isTitle of looks) {
    const titles = new Set(blocks.filter((block, at) => isTitle(block, at)))
    if (titles.size > 0 && titles.size <= blocks.length / 2 + 1)
      return blocks.map((block) => (titles.has(block) ? { ...block, tagName: 'h2' } : block))
  }
  return blocks
}

/** A heading, or a line that is written like one. */
export function isTitle(block: Element, emphasis: Emphasis): boolean {
  const isLike = isNamedHeading(block) || isBoldWhole(block, emphasis)
  return isHeading(block) || (isTitleLine(block, maxTitle) && isLike)
}

function isTitleLine(block: Element, maxLength: number): boolean {
  const text = textOf(block)
  return (
    /^(p|div|center)$/.test(block.tagName) &&
    !isLink(block) &&
    text !== '' &&
    text.length <= maxLength &&
    !/[.,;:!?…。、！？،؟»”"]$/u.test(text)
  )
}

/** A line of a contents list. */
function isLink(block: Element): boolean {
  return elementsNamed(block, 'a').some((link) => attribute(link, 'href') && textOf(link) === textOf(block))
}

function isNamedHeading(block: Element): boolean {
  return /(^|[\s_-])(chapter|heading|head|h[1-3]|title|chapter-?title|kapitel|titre|titel|capitulo|überschrift|заголовок)(\d|[\s_-]|$)/iu.test(
    attribute(block, 'class') ?? '',
  )
}

function isBoldWhole(block: Element, { isBold }: Emphasis): boolean {
  const all = [block, ...elementsIn(block)]
  const isStrong = (element: Element) =>
    /^(b|strong)$/.test(element.tagName) || isBold(attribute(element, 'class') ?? '')
  return all.some((element) => isStrong(element) && textOf(element) === textOf(block))
}

/**
 * Starts a chapter at each page in a book of many pages, unless its highest headings are several. A book of few pages is cut
 * at a level that gives chapters.
 */
export function startsOf(blocks: Element[], isOneOfFew: boolean): Set<Element> {
  const headings = blocks.filter(isHeading)
  const levels = [...new Set(headings.map(({ tagName }) => tagName))].toSorted()
  const minCount = isOneOfFew ? 3 : 2
  for (const level of levels) {
    const upTo = headings.filter(({ tagName }) => tagName <= level)
    if (upTo.length >= minCount) return new Set(upTo)
    if (!isOneOfFew) break
  }
  return new Set(isOneOfFew && headings.length > 1 ? headings : [])
}
