// The pages of an EPUB, in the order of reading, and what they are said to be.
import type { Contents } from './contents.ts'
import { isElsewhere, placeOf, type PackageDocument } from './package-document.ts'
import { findElement, typesOf, type Element, type Root } from './tree.ts'
import { readXhtml } from './xml.ts'
import type { Archive } from './zip.ts'

export type Page = { place: string; root: Root; types: string[] }

/** XHTML in the order of reading, without what is read only when asked for. */
export function pagesOf({ spine, items, folder }: PackageDocument): string[] {
  const places = spine
    .filter(({ isLinear }) => isLinear)
    .map(({ id }) => items.get(id))
    .filter((item) => item !== undefined && !isElsewhere(item.href))
    .filter((item) => /html/i.test(`${item?.type} ${item?.href}`))
    .map((item) => placeOf(item?.href ?? '', folder))
  return [...new Set(places)]
}

export async function readPage(
  { entries, read }: Archive,
  place: string,
  { landmarks }: Contents,
): Promise<Page | undefined> {
  const entry = entries.get(place)
  if (!entry) return undefined
  const root = readXhtml(await read(entry))
  const said = landmarks.filter((each) => each.place === place).map(({ type }) => type)
  return { place, root, types: [...said, ...outerTypes(root)] }
}

/** Of the body, and of the one section that holds all of the page. */
function outerTypes(root: Root): string[] {
  const body = findElement(root, ({ tagName }) => tagName === 'body')
  const types: string[] = []
  for (let element = body; element;) {
    types.push(...typesOf(element))
    const [only, ...others]: Element[] = element.children.filter((child) => child.type === 'element')
    element = others.length === 0 ? only : undefined
  }
  return types
}
