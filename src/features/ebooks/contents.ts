import { posix } from 'node:path'
import { placeOf, type PackageDocument } from './package-document.ts'
import {
  attribute,
  type Element,
  elementsNamed,
  limitTitle,
  readXhtml,
  type Root,
  textOf,
  typesOf,
} from './xml.ts'
import type { Archive } from './zip.ts'

export type ContentsEntry = {
  title: string
  depth: number
  place: string
  fragment: string | undefined
}

export type Contents = {
  entries: ContentsEntry[]
  landmarks: { place: string; type: string }[]
}

const maxEntries = 2_000

export async function readContents(archive: Archive, book: PackageDocument): Promise<Contents> {
  const items = [...book.items.values()]
  const modern = await open(items.find(({ properties }) => properties.includes('nav'))?.href)
  const older = await open(items.find(({ type }) => type === 'application/x-dtbncx+xml')?.href)
  const entries = modern ? readNavigation(modern) : []
  return {
    entries: (entries.length > 0 ? entries : older ? readNcx(older) : []).slice(0, maxEntries),
    landmarks: [...(modern ? readLandmarks(modern) : []), ...readGuide(book)],
  }

  async function open(href: string | undefined): Promise<Page | undefined> {
    const place = href === undefined ? '' : placeOf(href, book.folder)
    const entry = archive.entries.get(place)
    return entry && { root: readXhtml(await archive.read(entry)), place }
  }
}

type Page = { root: Root; place: string }

function readNavigation({ root, place }: Page) {
  const navs = elementsNamed(root, 'nav')
  const nav = navs.find((each) => typesOf(each).includes('toc')) ?? navs[0]
  const [list] = elementsNamed(nav, 'ol')
  return list ? readList(list, 0, place) : []
}

function readList(list: Element, depth: number, page: string): ContentsEntry[] {
  return childrenOf(list, 'li').flatMap((item) => {
    const [link] = childrenOf(item, 'a')
    const nested = childrenOf(item, 'ol').flatMap((each) => readList(each, depth + 1, page))
    return link ? entryOf(textOf(link), attribute(link, 'href'), depth, page).concat(nested) : nested
  })
}

function readNcx({ root, place }: Page) {
  const [map] = elementsNamed(root, 'navmap')
  return map ? readPoints(map, 0, place) : []
}

function readPoints(parent: Element, depth: number, page: string): ContentsEntry[] {
  return childrenOf(parent, 'navpoint').flatMap((point) => {
    const [label] = childrenOf(point, 'navlabel')
    const [content] = childrenOf(point, 'content')
    const entry = entryOf(textOf(label), attribute(content, 'src'), depth, page)
    return entry.concat(readPoints(point, depth + 1, page))
  })
}

function entryOf(title: string, href: string | undefined, depth: number, page: string): ContentsEntry[] {
  if (title === '' || href === undefined) return []
  const [path = '', fragment] = href.split('#', 2)
  const place = path === '' ? page : placeOf(path, posix.dirname(page))
  return [{ title: limitTitle(title), depth, place, fragment: fragment || undefined }]
}

function readLandmarks({ root, place }: Page) {
  const nav = elementsNamed(root, 'nav').find((each) => typesOf(each).includes('landmarks'))
  return elementsNamed(nav, 'a').flatMap((link) => {
    const target = placeOf(attribute(link, 'href') ?? '', posix.dirname(place))
    return typesOf(link).map((type) => ({ place: target, type }))
  })
}

function readGuide({ root, folder }: PackageDocument) {
  return elementsNamed(root, 'reference').map((each) => ({
    place: placeOf(attribute(each, 'href') ?? '', folder),
    type: (attribute(each, 'type') ?? '').toLowerCase(),
  }))
}

function childrenOf(parent: Element, name: string) {
  return parent.children.filter((child) => child.type === 'element').filter(({ tagName }) => tagName === name)
}
