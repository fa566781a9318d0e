import { posix } from 'node:path'
import { imageSize } from 'image-size'
import { hasAt } from './refused.ts'
import type { Contents } from './contents.ts'
import { placeOf, type PackageDocument, pagesOf, readRoot } from './package-document.ts'
import { attribute, elementsNamed, readXhtml, textOf } from './xml.ts'
import type { Archive } from './zip.ts'

export const maxCoverBytes = 20 * 1024 * 1024

/** EPUB 3 marks the picture, EPUB 2 names its id, and the guide or the landmarks name a page that shows it. */
export async function readCover(
  archive: Archive,
  document: PackageDocument,
  { landmarks }: Contents,
): Promise<Uint8Array | undefined> {
  const { items, root, folder } = document
  const all = [...items.values()]
  const meta = elementsNamed(root, 'meta').find((each) => attribute(each, 'name') === 'cover')
  const id = attribute(meta, 'content') ?? ''
  const named = [
    all.find(({ properties }) => properties.includes('cover-image')),
    // Some programs write the file's name where its id belongs.
    items.get(id) ?? all.find(({ href }) => href === id),
  ]
  const likely = all.find(({ id, type, href }) => type.startsWith('image/') && isCoverName(`${id} ${href}`))
  const placesOf = (chapters: (typeof likely)[]) =>
    chapters.flatMap((item) => (item ? [placeOf(archive, item.href, folder)] : []))
  const pages = landmarks.filter(({ type }) => type === 'cover').map(({ place }) => place)
  for (const place of [...placesOf(named), ...pages, ...placesOf([likely])]) {
    const cover = await readPicture(archive, place)
    if (cover) return cover
  }
  return await readFirstPicture(archive, document)
}

const names =
  /(^|[^a-z])(front)?cover|couverture|umschlag|titelbild|portada|copertina|(^|[^a-z])capa([^a-z]|$)|omslag|обложка|封面|表紙|غلاف/iu

function isCoverName(name: string): boolean {
  return names.test(name) && !/back[-_ ]?cover/i.test(name)
}

const maxWords = 60

/** A first page that is a picture, or hardly more than one, shows the cover, also where nothing says so. */
async function readFirstPicture(archive: Archive, document: PackageDocument) {
  const [first] = document.spine.map(({ id }) => document.items.get(id))
  if (first?.type.startsWith('image/'))
    return await readPicture(archive, placeOf(archive, first.href, document.folder))
  const [place] = pagesOf(archive, document)
  const page = place === undefined ? undefined : await readRoot(archive, place)
  if (place === undefined || !page) return undefined
  const [body] = elementsNamed(page, 'body')
  const isAlone = elementsNamed(body, 'img', 'image').length === 1 && textOf(body).length <= maxWords
  return isAlone ? await readPicture(archive, place) : undefined
}

async function readPicture(archive: Archive, place: string): Promise<Uint8Array | undefined> {
  const entry = archive.entries.get(place)
  if (!entry || entry.uncompressedSize > maxCoverBytes) return undefined
  if (!isPage(place)) {
    const bytes = await archive.read(entry, maxCoverBytes)
    return isPicture(bytes) ? bytes : undefined
  }
  const [image] = elementsNamed(readXhtml(await archive.read(entry)), 'img', 'image')
  const href = attribute(image, 'src') ?? attribute(image, 'xlink:href') ?? attribute(image, 'href')
  if (href === undefined || isPage(href)) return undefined
  return readPicture(archive, placeOf(archive, href, posix.dirname(place)))
}

const isPage = (path: string) => /\.x?html?$/i.test(path)

/** JPEG (ITU T.81 B.1.1.3), PNG (ISO 15948 5.2) or WebP (RFC 9649 2.3), and as large as a cover. */
export function isPicture(bytes: Buffer): boolean {
  const isKnown =
    hasAt(bytes, 0, '\xff\xd8\xff') ||
    hasAt(bytes, 0, '\x89PNG\r\n\x1a\n') ||
    (hasAt(bytes, 0, 'RIFF') && hasAt(bytes, 8, 'WEBP'))
  return isKnown && isLarge(bytes)
}

/** Programs put a picture of a single pixel where a book has no cover. */
const minSide = 50
const maxHeaderBytes = 1024 * 1024

function isLarge(bytes: Buffer): boolean {
  try {
    const { width, height } = imageSize(bytes.subarray(0, maxHeaderBytes))
    return Math.min(width, height) >= minSide
  } catch {
    // Whether a picture can be shown is judged by what decodes it.
    return true
  }
}
