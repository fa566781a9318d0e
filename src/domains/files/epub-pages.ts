// Reads the pages of an EPUB, which are its content documents (EPUB 3.3).
import { posix } from 'node:path'
import { attribute, type Element, elementsNamed, type Root, textOf, readXhtml, typesOf } from './xml.ts'
import type { Archive } from './zip.ts'
import { ignoreTooLarge } from './refused.ts'
import type { PackageDocument } from './package-document.ts'
import { isElsewhere, placeOf } from './epub-places.ts'
import type { Emphasis } from './epub-emphasis.ts'

/** A page's kind in EPUB's own words. */
export type Landmark = { place: string; fragment: string | undefined; type: string }

export type Page = { place: string; root: Root; types: string[]; hints: string[] }

export function pagesOf(archive: Archive, { spine, items, folder }: PackageDocument): string[] {
  const places = spine
    .filter(({ isLinear }) => isLinear)
    .map(({ id }) => items.get(id))
    .filter((item) => item !== undefined)
    .filter(({ href, type }) => !isElsewhere(href) && /html|oeb1-document|\.htm$/i.test(`${type} ${href}`))
    .map(({ href }) => placeOf(archive, href, folder))
  return [...new Set(places)]
}

export async function readPage(
  { entries, read }: Archive,
  place: string,
  landmarks: Landmark[],
  { isOnOwnLine }: Emphasis,
) {
  const entry = entries.get(place)
  if (!entry) return undefined
  const root = readXhtml(await read(entry))
  const headings = elementsNamed(root, 'h1', 'h2', 'h3', 'h4', 'h5', 'h6')
  for (const span of headings.flatMap((heading) => elementsNamed(heading, 'span')))
    if (isOnOwnLine(span)) span.tagName = 'div'
  const here = landmarks.filter((each) => each.place === place)
  // Several places in one page say nothing of the page.
  const isWhole = new Set(here.map(({ fragment }) => fragment)).size < 2
  const types = isWhole ? here.map(({ type }) => type) : []
  const outer = outerElements(root)
  return {
    place,
    root,
    types: [...types, ...outer.flatMap(typesOf)],
    hints: [...outer.flatMap(classesOf), nameOf(place)],
  }
}

/** Undefined where it cannot be read: its chapter says so. */
export async function readRoot({ entries, read }: Archive, place: string): Promise<Root | undefined> {
  try {
    const entry = entries.get(place)
    return entry && readXhtml(await read(entry))
  } catch (error) {
    return ignoreTooLarge(error)
  }
}

/** The elements around all of the page's text. */
function outerElements(root: Root): Element[] {
  const [body] = elementsNamed(root, 'body')
  const result: Element[] = []
  for (let element = body; element;) {
    result.push(element)
    const [only, ...others]: Element[] = element.children
      .filter((child) => child.type === 'element')
      .filter((child) => textOf(child) !== '')
    element = others.length === 0 ? only : undefined
  }
  return result
}

function classesOf(element: Element): string[] {
  const names = (attribute(element, 'class') ?? '').toLowerCase().split(/\s+/)
  return names.map((name) => name.replaceAll('_', '-').replace(/^(ltx|section|sect|page|bk|epub)-/, ''))
}

/** `010_title_page.xhtml` is named `title-page`. */
function nameOf(place: string): string {
  const [name = ''] = posix.basename(place).toLowerCase().split('.')
  const words = name.replaceAll(/[_\s]+/g, '-').replaceAll(/^[\d-]+|[\d-]+$/g, '')
  // Some programs call each file a part.
  return /^(part|text)(-\d+-split)?$/.test(words) ? '' : words
}
