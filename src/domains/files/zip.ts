import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { getFileNameLowLevel, openPromise, validateFileName, type Entry, type ZipFile } from 'yauzl'
import { notAnEbook, quoted, tooComplex } from './refused.ts'

const maxEntries = 20_000
const maxDirectoryBytes = 8 * 1024 * 1024
const maxReadBytes = 5 * 1024 * 1024
const maxUnpackedBytes = 2 * 1024 ** 3
/** Text packs to a tenth. Applies above `minBombBytes`, more than a book has. */
const maxRatio = 200
const minBombBytes = 100 * 1024 * 1024

export type Archive = {
  /** By their names in the book, also where all of it lies in a folder of the archive. */
  entries: ReadonlyMap<string, Entry>
  doubled: string | undefined
  read: (entry: Entry, maxBytes?: number) => Promise<Buffer>
  /** As it is packed. */
  openPacked: (entry: Entry) => Promise<Readable>
  fileSize: number
  /** Whether the book lies in a folder of the archive, or its container has another name. */
  isMoved: boolean
}

export async function withArchive<Result>(path: string, look: (archive: Archive) => Promise<Result>) {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false, decodeStrings: false })
  try {
    const { entries, doubled } = await list(zip)
    const inBook = withoutFolder(entries)
    return await look({
      entries: inBook,
      isMoved: inBook !== entries,
      doubled,
      read: (entry, maxBytes) => read(zip, entry, maxBytes),
      openPacked: (entry) => zip.openReadStreamPromise(entry, { decodeFileData: false }),
      fileSize: zip.fileSize,
    })
  } finally {
    zip.close()
  }
}

export const containerPath = 'META-INF/container.xml'

/** Of a zipped folder, the names within it. A computer's own leftovers beside the folder are left out. */
function withoutFolder(entries: Map<string, Entry>): Map<string, Entry> {
  if (entries.has(containerPath)) return entries
  const containers = [...entries.keys()].filter((name) => /(^|\/)META-INF\/container\.xml$/i.test(name))
  const [container] = containers
    .filter((name) => !name.startsWith('__MACOSX/'))
    .toSorted((one, other) => one.length - other.length)
  if (container === undefined) return entries
  const folder = container.slice(0, -containerPath.length)
  const inside = [...entries].filter(([name]) => name.startsWith(folder) && name !== folder)
  const nameOf = (name: string) =>
    name === container ? containerPath : name.slice(folder.length).replace(/^META-INF\//i, 'META-INF/')
  return new Map(inside.map(([name, entry]) => [nameOf(name), entry]))
}

async function list(zip: ZipFile) {
  const entries = new Map<string, Entry>()
  const seen = new Set<string>()
  let doubled: string | undefined
  let [count, directory, unpacked] = [0, 0, 0]
  for await (const entry of zip.eachEntry()) {
    count += 1
    directory += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
    unpacked += entry.uncompressedSize
    if (count > maxEntries) throw tooComplex(`This EPUB holds more than ${maxEntries} files.`)
    if (directory > maxDirectoryBytes) throw tooComplex('This EPUB’s list of files is too long to be read.')
    const name = nameOf(entry)
    const folded = name.normalize('NFC').toLowerCase()
    if (seen.has(folded)) doubled ??= name
    seen.add(folded)
    entries.set(name, entry)
  }
  const isBomb = unpacked > minBombBytes && unpacked / zip.fileSize > maxRatio
  if (isBomb || unpacked > maxUnpackedBytes) {
    const megabytes = Math.round(unpacked / 1024 ** 2)
    throw tooComplex(`This EPUB would unpack to ${megabytes} MB, far more than a book.`)
  }
  return { entries, doubled }
}

/** OCF 3.3 §4.2.2: names are UTF-8, whatever the flag says. */
function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  const utf8Flag = 0x800
  const name = getFileNameLowLevel(generalPurposeBitFlag | utf8Flag, fileNameRaw, extraFields, false)
  if (name.includes('\0') || validateFileName(name) !== null) {
    const detail = `This EPUB holds a file whose name leads out of it: ${quoted(name)}. Please export the book again and upload the new file.`
    throw notAnEbook(detail)
  }
  return name
}

async function read(zip: ZipFile, entry: Entry, maxBytes = maxReadBytes) {
  if (entry.uncompressedSize > maxBytes)
    throw tooComplex(`A file in this EPUB, ${quoted(nameOf(entry))}, is too large to be read.`)
  return buffer(await zip.openReadStreamPromise(entry))
}
