// A backup as one file: an encrypted place as a tar, what `tar x` would unpack. It comes from whoever has the setup link, so
// nothing of it is believed.
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, rm, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { extract, type Extract } from 'tar-stream'
import { failureReason, isDiskFull } from '#platform/errors.ts'
import { maxManifestBytes } from './manifest.ts'
import { keyFile } from './place-key.ts'

type BackupFile = { path: string; size: number }

type Unpacking = {
  file: BackupFile
  /** Emptied first. It becomes an encrypted place of backups. */
  folder: string
  onProgress: (done: number, total: number) => void
}

/** Bytes that have to stay free beside what is unpacked. */
const reservedBytes = 64 * 1024 * 1024

/** The tar is not compressed, so that its content is never larger than the file. Throws what is to be shown. */
export async function unpackBackup({ file, folder, onProgress }: Unpacking): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await requireRoom(folder, file.size)
  await requireTar(file.path)
  let read = 0
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      read += chunk.length
      onProgress(read, file.size)
      done(null, chunk)
    },
  })
  const unpacked = extract()
  try {
    await Promise.all([
      pipeline(createReadStream(file.path), counted, unpacked),
      writeEntries(unpacked, folder),
    ])
  } catch (cause) {
    await rm(folder, { recursive: true, force: true })
    throw cause instanceof RefusedFile ? cause : damagedFile(cause)
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

/** POSIX: every header has it there, and a tar begins with one. */
const magic = { at: 257, text: 'ustar' }

async function requireTar(path: string): Promise<void> {
  await using file = await open(path)
  const { buffer } = await file.read(Buffer.alloc(magic.text.length), 0, magic.text.length, magic.at)
  if (buffer.toString('latin1') !== magic.text)
    throw new RefusedFile(
      'This is no backup of a shop: choose the file that Backups in the admin area has made. Its name ends with .tar.',
    )
}

/** The layout of an encrypted place, and what erased accounts leave there. */
const entryName =
  /^(backups\/[\dTZ-]{1,40}\.(json\.age|objects)|objects\/[\da-f]{2}\/[\da-f]{64}\.[\da-f]{16}\.age|erased\/[\w-]{1,80}\.txt)$/
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
    else if (type !== 'file' || !(path === keyFile || entryName.test(path)) || isTooLarge(path, size))
      throw new RefusedFile(
        `This is no backup of a shop: it has an entry ${JSON.stringify(name.slice(0, 80))}, which no backup has. Nothing was changed.`,
      )
    else await write(join(folder, path), Readable.from(entry))
  }
}

/** Manifests and lists are read into memory. */
const isTooLarge = (path: string, size: number) => size > maxManifestBytes && !path.startsWith('objects/')

async function write(path: string, content: Readable): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  // A second entry of the same name fails.
  await pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
}
