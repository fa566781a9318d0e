// EPUBs: their check, what is read of them, and the picture of their cover.
import { readChapters } from './chapters.ts'
import { readContents, type Contents } from './contents.ts'
import type { Chapter, ReadBook } from '#contract/files/read-book.ts'
import { kindOfArchive, refuseAs } from './file-kinds.ts'
import { isOcfConformant, packAsOcf, containerPath, withArchive, type Archive } from './zip.ts'
import { completeMetadata } from './metadata.ts'
import { Finding, isProtected, readPackage, type PackageDocument } from './package-document.ts'
import { isElsewhere, isMisnamed, placeOf } from './epub-places.ts'
import { pagesOf, readRoot } from './epub-pages.ts'
import { notAnEbook, quoted, Refused, hasAt } from './refused.ts'
import { elementsNamed, attribute, readXhtml, textOf } from './xml.ts'
import { posix } from 'node:path'
import { imageSize } from 'image-size'

const packedAnew =
  'The file was not packed as an EPUB has to be, so it was packed anew. Nothing in the book was changed.'

export async function readEpub(path: string): Promise<string[]> {
  try {
    const isWell = await isOcfConformant(path)
    return await openEpub(path, async (archive) => {
      const findings = await check(archive)
      return isWell && !archive.isMoved ? findings : [packedAnew, ...findings]
    })
  } catch (error) {
    if (error instanceof Finding) return [error.message]
    throw error
  }
}

/** Throws what a ZIP is that holds no EPUB. */
export async function requireEpub(path: string): Promise<void> {
  await openEpub(path, async (archive) => {
    const { entries } = archive
    const isEpub = entries.has(containerPath) || (await isOcfConformant(path))
    if (!isEpub) throw refuseAs(await kindOfArchive(archive))
  })
}

async function openEpub<Result>(path: string, read: (archive: Archive) => Promise<Result>): Promise<Result> {
  return await orDamaged(() => withArchive(path, read))
}

export async function repackEpub(from: string, to: string): Promise<boolean> {
  return await orDamaged(() => packAsOcf(from, to))
}

async function orDamaged<Result>(open: () => Promise<Result>): Promise<Result> {
  try {
    return await open()
  } catch (error) {
    const isOfTheDisk = error instanceof Error && 'syscall' in error
    if (error instanceof Finding || error instanceof Refused || isOfTheDisk) throw error
    throw notAnEbook('This EPUB is damaged: it could not be opened.')
  }
}

async function check(archive: Archive): Promise<string[]> {
  const { doubled } = archive
  const findings: string[] = []
  if (await isProtected(archive))
    findings.push(
      'The EPUB is copy-protected or locked with a password: your readers could not open it. Upload one without protection.',
    )
  if (doubled !== undefined)
    findings.push(
      `The EPUB holds two files with the name ${quoted(doubled)}: devices differ in which they show.`,
    )
  return [...findings, ...comparePackage(await readPackage(archive), archive)]
}

function comparePackage({ folder, root, items, spine }: PackageDocument, archive: Archive) {
  const findings: string[] = []
  if (spine.length === 0) findings.push('The EPUB has no reading order (spine): readers will show nothing.')
  const lost = spine.filter(({ id }) => !items.has(id)).length
  if (lost > 0)
    findings.push(`${lost} of the chapters in the EPUB’s reading order are not in its list of files.`)
  const misnamed = [...items.values()].filter(
    ({ href }) => !isElsewhere(href) && isMisnamed(archive, href, folder),
  )
  const isPacked = ({ href }: { href: string }) => archive.entries.has(placeOf(archive, href, folder))
  const [first, ...others] = misnamed.filter((item) => !isPacked(item))
  const match = misnamed.find(isPacked)
  if (match)
    findings.push(
      `The EPUB names some of its files differently from what they are called, as ${quoted(match.href)}. They were found here, but some reading programs will not find them: please export the book again.`,
    )
  if (first !== undefined)
    findings.push(
      `${others.length + 1} of the EPUB’s files are missing, the first of them ${quoted(first.href)}.`,
    )
  if (elementsNamed(root, 'title').length === 0)
    findings.push('The EPUB has no title: reading apps list it without a name.')
  return findings
}

export type BookFile = { book: ReadBook; cover: Uint8Array | undefined }

export async function readEpubBook(path: string): Promise<BookFile> {
  try {
    return await openEpub(path, readBook)
  } catch (error) {
    if (!(error instanceof Finding)) throw error
    throw notAnEbook(`${error.message} Please export the book again and choose the new file.`)
  }
}

async function readBook(archive: Archive): Promise<BookFile> {
  if (await isProtected(archive))
    throw notAnEbook(
      'This EPUB is copy-protected, so it cannot be read. Please export it from your writing program, or download it from your publisher, without protection (DRM).',
    )
  const document = await readPackage(archive, true)
  const contents = await readContents(archive, document)
  const metadata = await completeMetadata(archive, document, contents)
  const { title = '', subtitle = '', authors } = metadata
  const chapters = await readChapters(archive, document, contents, { title, subtitle, authors })
  if (chapters.chapters.every(({ markdown }) => markdown === '')) {
    chapters.chapters = []
    chapters.contents = chapters.contents.map((entry) => ({ ...entry, chapter: null }))
    chapters.firstChapter = null
    chapters.findings.push('This book holds pictures and no text: please add the preview yourself.')
  }
  const pictures = document.items.values().filter(({ type }) => type.startsWith('image/'))
  if (chapters.chapters.length === 0 && pictures.take(2).toArray().length < 2)
    throw notAnEbook(
      'No text was found in this EPUB. Please open it in a reading program and look, then export the book again.',
    )
  // Loaded with the first book: its tables take 30 MB.
  const { chooseLanguage } = await import('./language.ts')
  const { finding, ...languages } = chooseLanguage(
    metadata.language,
    textOfChapters(chapters.chapters, metadata.language),
  )
  const findings = finding ? [finding, ...chapters.findings] : [...chapters.findings]
  const { cover, isDrawn } = await readCover(archive, document, contents)
  if (isDrawn) findings.push(drawnCover)
  const book = { file_format: 'epub' as const, ...chapters, ...metadata, ...languages, findings }
  return { book, cover }
}

/** The beginnings of its chapters. A note behind a book of pictures does not contradict what the file says. */
function textOfChapters(chapters: readonly Chapter[], declared: string | undefined): string {
  const bodies = chapters.filter(({ kind }) => kind === 'body')
  const judged = bodies.length > 0 || declared ? bodies : chapters
  return judged
    .map(({ markdown }) => markdown.slice(0, 5_000))
    .join('\n')
    .slice(0, 200_000)
}

const maxCoverBytes = 20 * 1024 * 1024

/** EPUB 3 marks the picture, EPUB 2 names its id, and the guide or the landmarks name a page that shows it. */
async function readCover(
  archive: Archive,
  document: PackageDocument,
  { landmarks }: Contents,
): Promise<{ cover?: Uint8Array | undefined; isDrawn: boolean }> {
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
  const places = [...placesOf(named), ...pages, ...placesOf([likely])]
  for (const place of places) {
    const cover = await readPicture(archive, place)
    if (cover) return { cover, isDrawn: false }
  }
  const cover = await readFirstPicture(archive, document)
  if (cover) return { cover, isDrawn: false }
  const [first] = placesOf(document.spine.map(({ id }) => items.get(id)).slice(0, 1))
  const isDrawn = await Promise.all([...places, first ?? ''].map((place) => isDrawing(archive, place)))
  return { isDrawn: isDrawn.includes(true) }
}

const drawnCover =
  'The cover in this EPUB is a drawing (SVG), which the shop cannot show. Please choose its picture as a JPEG, PNG or WebP.'

/** An SVG, or a page that shows one and hardly any text. */
async function isDrawing(archive: Archive, place: string): Promise<boolean> {
  if (/\.svg$/i.test(place)) return archive.entries.has(place)
  if (!isPage(place)) return false
  const page = await readRoot(archive, place)
  if (!page || textOf(elementsNamed(page, 'body')[0]).length > maxWords) return false
  const images = elementsNamed(page, 'img', 'image', 'object').map(
    (image) => attribute(image, 'src') ?? attribute(image, 'xlink:href') ?? attribute(image, 'data') ?? '',
  )
  if (images.length > 0) return images.some((href) => /\.svg$/i.test(href))
  return elementsNamed(page, 'svg').length > 0
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
    // The program that decodes a picture judges whether it can be shown.
    return true
  }
}
