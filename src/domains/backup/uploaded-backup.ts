// A backup as one file, encrypted with a passphrase by age, a tar inside it: what `age -d FILE | tar x` would unpack. It
// comes from whoever has the setup link, so nothing of it is believed.
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, rm, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { extract, type Extract } from 'tar-stream'
import { failureReason, isDiskFull } from '#platform/errors.ts'
import { maxManifestBytes } from './manifest.ts'
import { decryptFile } from './encryption.ts'

type BackupFile = { path: string; size: number }

type Unpacking = {
  file: BackupFile
  passphrase: string
  /** Emptied first. It becomes a place of backups that are not encrypted. */
  folder: string
  onProgress: (done: number, total: number) => void
}

/** Bytes that have to stay free beside what is unpacked. */
const reservedBytes = 64 * 1024 * 1024

/** The tar is not compressed, so that its content is never larger than the file. Throws what is to be shown. */
export async function unpackBackup({ file, passphrase, folder, onProgress }: Unpacking): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await requireRoom(folder, file.size)
  const header = await readHeader(file.path)
  let read = 0
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      read += chunk.length
      onProgress(read, file.size)
      done(null, chunk)
    },
  })
  const source = createReadStream(file.path)
  const counting = pipeline(source, counted)
  counting.catch(() => undefined)
  try {
    const content = await decryptFile(counted, { passphrase, header })
    if (!content) throw new RefusedFile('This is not the passphrase of this file. Nothing was changed.')
    const unpacked = extract()
    await Promise.all([pipeline(content, unpacked), writeEntries(unpacked, folder)])
    await counting
  } catch (cause) {
    await rm(folder, { recursive: true, force: true })
    throw cause instanceof RefusedFile ? cause : damagedFile(cause)
  } finally {
    source.destroy()
  }
}

class RefusedFile extends Error {}

function damagedFile(cause: unknown): Error {
  if (isDiskFull(cause)) return new Error(failureReason(cause), { cause })
  return new Error(
    `The file is damaged or not whole (${failureReason(cause)}). Download it again, or take an earlier one. Nothing was changed.`,
    { cause },
  )
}

export async function requireRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  if (bytes + reservedBytes > free)
    throw new RefusedFile(
      `The disk has no room for this backup: it needs ${megabytes(bytes + reservedBytes)} MB more, and ${megabytes(free)} MB are free. Make room, or add a larger disk. Nothing was changed.`,
    )
}

const megabytes = (bytes: number) => Math.ceil(bytes / 1024 / 1024)

const maxHeaderBytes = 1024
/** Twice the memory for each that it is higher: age itself writes 18, which takes 256 MB. */
const maxWorkFactor = 18

const ageHeader = /^age-encryption\.org\/v1\n-> scrypt [\w+/]{22} (\d{1,2})\n[\w+/]{43}\n--- [\w+/]{43}\n/

async function readHeader(path: string): Promise<Buffer> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(maxHeaderBytes), 0, maxHeaderBytes, 0)
  const start = buffer.toString('latin1', 0, bytesRead)
  const [header, workFactor] = ageHeader.exec(start) ?? []
  if (header === undefined) throw new RefusedFile(otherFile(start))
  if (Number(workFactor) > maxWorkFactor)
    throw new RefusedFile('This file was encrypted with more work than the download of a shop has.')
  return buffer.subarray(0, header.length)
}

function otherFile(start: string): string {
  if (start.startsWith('age-encryption.org/v1\n-> scrypt '))
    return 'The file is damaged or not whole. Download it again, or take an earlier one. Nothing was changed.'
  if (start.startsWith('age-encryption.org/v1\n'))
    return 'This file was encrypted with a key, not with a passphrase. Choose the one that Backups in the admin area has made.'
  return 'This is no backup of a shop: choose the file that Backups in the admin area has made. Its name ends with .tar.age.'
}

/** The layout of a place of backups, and what erased accounts leave there. */
const entryName =
  /^(backups\/[\dTZ-]{1,40}\.(json|objects)|objects\/[\da-f]{2}\/[\da-f]{64}|erased\/[\w-]{1,80}\.txt)$/
const maxEntries = 500_000

async function writeEntries(unpacked: Extract, folder: string): Promise<void> {
  let count = 0
  for await (const entry of unpacked) {
    const { type, name, size } = entry.header
    count += 1
    if (count > maxEntries) throw new RefusedFile('This file has more entries than a backup of a shop.')
    const path = name.replace(/^\.\//, '')
    // `tar c` names the folders, too; what they need is made below.
    if (type === 'directory') entry.resume()
    else if (type !== 'file' || !entryName.test(path) || isTooLarge(path, size))
      throw new RefusedFile(
        `This is no backup of a shop: it has an entry ${JSON.stringify(name.slice(0, 80))}, which no backup has. Nothing was changed.`,
      )
    else await write(join(folder, path), Readable.from(entry))
  }
  if (count === 0) throw new RefusedFile('This is no backup of a shop: nothing is in it.')
}

/** Manifests and lists are read into memory. */
const isTooLarge = (path: string, size: number) => size > maxManifestBytes && !path.startsWith('objects/')

async function write(path: string, content: Readable): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  // A second entry of the same name fails.
  await pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
}
