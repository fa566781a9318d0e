// The picture that an EPUB names as its cover.
import { posix } from 'node:path'
import type { Contents } from './contents.ts'
import { hasAt } from './bytes.ts'
import { placeOf, type PackageDocument } from './package-document.ts'
import { attribute, elementsIn } from './tree.ts'
import { readXhtml } from './xml.ts'
import type { Archive } from './zip.ts'

const maxCoverBytes = 20 * 1024 * 1024

/** EPUB 3 marks the picture, EPUB 2 names its id, and the guide or the landmarks name a page that shows it. */
export async function readCover(
  archive: Archive,
  book: PackageDocument,
  { landmarks }: Contents,
): Promise<Uint8Array | undefined> {
  const { items, elements, folder } = book
  const all = [...items.values()]
  const named = elements.find((each) => each.tagName === 'meta' && attribute(each, 'name') === 'cover')
  const id = attribute(named, 'content') ?? ''
  const hrefs = [
    all.find(({ properties }) => properties.includes('cover-image'))?.href,
    // Some programs write the file's name where its id belongs.
    items.get(id)?.href ?? all.find(({ href }) => href === id)?.href,
  ].filter((href) => href !== undefined)
  const pages = landmarks.filter(({ type }) => type === 'cover').map(({ place }) => place)
  const likely = all.find(
    (item) => item.type.startsWith('image/') && /cover/i.test(`${item.id} ${item.href}`),
  )
  const last = likely ? [placeOf(likely.href, folder)] : []
  for (const place of [...hrefs.map((href) => placeOf(href, folder)), ...pages, ...last]) {
    const cover = await readPicture(archive, place)
    if (cover) return cover
  }
  return undefined
}

/** Of a page, its first picture. */
async function readPicture(archive: Archive, place: string): Promise<Uint8Array | undefined> {
  const entry = archive.entries.get(place)
  if (!entry || entry.uncompressedSize > maxCoverBytes) return undefined
  if (!/\.x?html?$/i.test(place)) {
    const bytes = await archive.read(entry, maxCoverBytes)
    return isPicture(bytes) ? bytes : undefined
  }
  const [first] = elementsIn(readXhtml(await archive.read(entry)))
    .filter(({ tagName }) => tagName === 'img' || tagName === 'image')
    .map((each) => attribute(each, 'src') ?? attribute(each, 'xlink:href') ?? attribute(each, 'href'))
  return first === undefined || /\.x?html?$/i.test(first)
    ? undefined
    : readPicture(archive, placeOf(first, posix.dirname(place)))
}

/** JPEG (ITU T.81 B.1.1.3), PNG (ISO 15948 5.2) or WebP (RFC 9649 2.3). */
function isPicture(bytes: Buffer): boolean {
  return (
    hasAt(bytes, 0, '\xff\xd8\xff') ||
    hasAt(bytes, 0, '\x89PNG\r\n\x1a\n') ||
    (hasAt(bytes, 0, 'RIFF') && hasAt(bytes, 8, 'WEBP'))
  )
}
