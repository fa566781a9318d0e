// The headings of pages that no contents describe. Many programs write them as paragraphs, only larger or bolder.
import type { Emphasis } from './pages.ts'
import { isChapterTitle, isNumber, weightOf } from './titles.ts'
import { attribute, type Element, elementsIn, elementsNamed, textOf } from './xml.ts'

const isHeading = ({ tagName }: Element) => /^h[1-6]$/.test(tagName)
const maxTitle = 100
const maxBareTitle = 60
const minText = 100

/** Where a page has no headings, paragraphs that look like some become headings. */
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
 * In a book of many pages each page is a chapter, unless its highest headings are several. In a book of few pages a level
 * is taken that gives chapters.
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
