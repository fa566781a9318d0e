// The packing of an EPUB (OCF 3.3 §4.3): the file `mimetype` comes first, as it is. Readers' programs open most others, too,
// and shops refuse them, so such a book is packed anew.
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { getFileNameLowLevel, openPromise, validateFileName, type Entry, type ZipFile } from 'yauzl'
import { notAnEbook, quoted, tooComplex, hasAt, readBytes } from './refused.ts'
import { createWriteStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { crc32 } from 'node:zlib'

const maxEntries = 20_000
const maxDirectoryBytes = 8 * 1024 * 1024
const maxReadBytes = 5 * 1024 * 1024
const maxUnpackedBytes = 2 * 1024 ** 3
/** Text packs to a tenth. Applies above `minBombBytes`, more than a book has. */
const maxRatio = 200
const minBombBytes = 100 * 1024 * 1024

export type Archive = {
  /** Keys are the names in the book, also where all of it lies in a folder of the archive. */
  entries: ReadonlyMap<string, Entry>
  doubled: string | undefined
  read: (entry: Entry, maxBytes?: number) => Promise<Buffer>
  /** Leaves the entry as it is packed. */
  openPacked: (entry: Entry) => Promise<Readable>
  fileSize: number
  /** True where the book lies in a folder of the archive, or its container has another name. */
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

/** Returns the names within a zipped folder. A computer's own leftovers beside the folder are left out. */
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

const mediaType = 'application/epub+zip'
const typeFile = 'mimetype'
const [methodAt, sizeAt, nameLengthAt, extraLengthAt, nameAt] = [8, 22, 26, 28, 30]

export async function isOcfConformant(path: string): Promise<boolean> {
  await using file = await open(path)
  const head = await readBytes(file, 0, nameAt + typeFile.length + mediaType.length)
  if (head.length < nameAt || !hasAt(head, 0, 'PK\u0003\u0004')) return false
  const isFirst =
    head.readUInt16LE(nameLengthAt) === typeFile.length && hasAt(head, nameAt, typeFile + mediaType)
  const isStored = head.readUInt16LE(methodAt) === 0 && head.readUInt16LE(extraLengthAt) === 0
  const size = head.readUInt32LE(sizeAt)
  // Zero where the size follows the content.
  return isFirst && isStored && (size === mediaType.length || size === 0)
}

/** Copies each file as it is packed, so that none of them changes. Returns whether it was necessary. */
export async function packAsOcf(from: string, to: string): Promise<boolean> {
  const isRight = await isOcfConformant(from)
  try {
    return await withArchive(from, async (archive) => {
      if (isRight && !archive.isMoved) return false
      await pipeline(write(archive), createWriteStream(to))
      return true
    })
  } catch (error) {
    await rm(to, { force: true })
    throw error
  }
}

type Packed = {
  name: Buffer
  method: number
  time: number
  date: number
  crc: number
  packedSize: number
  size: number
}

const maxBytes = 2 ** 32 - 1

async function* write({ entries, openPacked, fileSize }: Archive) {
  const others = [...entries].filter(([name]) => name !== typeFile)
  // Several names may share their bytes, which would be copied for each of them.
  const bytes = others.reduce((sum, [, { compressedSize }]) => sum + compressedSize, 0)
  if (bytes > fileSize || fileSize > maxBytes) throw tooComplex('The files of this EPUB overlap.')
  const directory: Buffer[] = []
  let at = 0
  /** The record of a file and its place in the directory. */
  const record = (file: Packed) => {
    directory.push(directoryRecord(file, at))
    const header = localHeader(file)
    at += header.length + file.packedSize
    return header
  }
  const type = Buffer.from(mediaType)
  const sizes = { packedSize: type.length, size: type.length }
  const firstDay = 0x21
  yield record({
    name: Buffer.from(typeFile),
    method: 0,
    time: 0,
    date: firstDay,
    crc: crc32(type),
    ...sizes,
  })
  yield type
  for (const [name, entry] of others) {
    yield record({
      name: Buffer.from(name),
      method: entry.compressionMethod,
      time: entry.lastModFileTime,
      date: entry.lastModFileDate,
      crc: entry.crc32,
      packedSize: entry.compressedSize,
      size: entry.uncompressedSize,
    })
    yield* await openPacked(entry)
  }
  yield* directory
  yield endRecord(directory, at)
}

const [version, utf8Flag] = [20, 0x800]

/** APPNOTE.TXT 6.3 §4.3.7. */
function localHeader(file: Packed): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50)
  writeFields(header, 4, file)
  return Buffer.concat([header, file.name])
}

/** APPNOTE.TXT 6.3 §4.3.12. */
function directoryRecord(file: Packed, at: number): Buffer {
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x02014b50)
  header.writeUInt16LE(version, 4)
  writeFields(header, 6, file)
  header.writeUInt32LE(at, 42)
  return Buffer.concat([header, file.name])
}

function writeFields(header: Buffer, from: number, file: Packed): void {
  const { method, time, date, crc, packedSize, size, name } = file
  let at = header.writeUInt16LE(version, from)
  for (const short of [utf8Flag, method, time, date]) at = header.writeUInt16LE(short, at)
  for (const long of [crc, packedSize, size]) at = header.writeUInt32LE(long, at)
  header.writeUInt16LE(name.length, at)
}

/** APPNOTE.TXT 6.3 §4.3.16. */
function endRecord(directory: Buffer[], at: number): Buffer {
  const record = Buffer.alloc(22)
  record.writeUInt32LE(0x06054b50)
  for (const place of [8, 10]) record.writeUInt16LE(directory.length, place)
  record.writeUInt32LE(
    directory.reduce((sum, { length }) => sum + length, 0),
    12,
  )
  record.writeUInt32LE(at, 16)
  return record
}
