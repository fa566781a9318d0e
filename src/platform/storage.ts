// Files: a local folder, or any S3 bucket. Names are ours ("ebooks/…"), never a visitor's.
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Disk } from 'flydrive'
import type { Config } from '../config.ts'
import { isBucketAway } from './bucket-away.ts'
import { errorCode } from './error-code.ts'
import { once } from './cached.ts'

export type StoredFile = {
  /** Bytes. */
  size: number
  /** Strong: another content never has the same one, for a stored file is never written again. */
  etag: string
  modified: Date
}

/** First and last byte, both included. */
export type ByteRange = { start: number; end: number }

export type Storage = {
  /** Complete or absent: a name is never seen with half its bytes. */
  write(name: string, content: Readable | Uint8Array): Promise<void>
  /** Undefined when there is no such file. */
  stat(name: string): Promise<StoredFile | undefined>
  read(name: string, range?: ByteRange): Promise<Readable>
  remove(name: string): Promise<void>
  /** The names that begin with a folder, as `objects/`, in no order. */
  list(folder: string): AsyncIterable<string>
}

/** The shop's files: STORAGE_URL, else a folder in DATA_DIR. */
export function openStorage({ storageUrl, dataDir }: Pick<Config, 'storageUrl' | 'dataDir'>): Storage {
  return storageUrl ? openStorageAt(storageUrl) : folder(join(dataDir, 'files'))
}

/** `file:` or `s3:`, as in STORAGE_URL. What speaks to the disk or the bucket is loaded with the first file. */
export function openStorageAt(address: string): Storage {
  const url = new URL(address)
  return url.protocol === 's3:' ? bucket(url) : folder(fileURLToPath(url))
}

const chunk = 256 * 1024
const mostTries = 5

/** Of a local folder: what is being written. A process that is killed leaves its part here. */
export const incomingFolder = 'incoming/'

function folder(location: string): Storage {
  const open = once(async () => {
    const [{ Disk }, { FSDriver }] = await Promise.all([import('flydrive'), import('flydrive/drivers/fs')])
    return new Disk(new FSDriver({ location, visibility: 'private' }))
  })
  return {
    ...reading(open),
    async write(name, content) {
      const disk = await open()
      const aside = `${incomingFolder}${crypto.randomUUID()}`
      try {
        await (content instanceof Uint8Array ? disk.put(aside, content) : disk.putStream(aside, content))
        await disk.move(aside, name)
      } catch (error) {
        await disk.delete(aside)
        throw error
      }
    },
    read: async (name, range) => createReadStream(join(location, name), { ...range, highWaterMark: chunk }),
  }
}

function bucket(url: URL): Storage {
  const endpoint = url.searchParams.get('endpoint')
  const connect = once(async () => {
    const { GetObjectCommand, S3Client } = await import('@aws-sdk/client-s3')
    const client = new S3Client({
      region: url.searchParams.get('region') ?? 'us-east-1',
      maxAttempts: mostTries,
      // It would print to the log lines that are not JSON.
      logger: { debug() {}, info() {}, warn() {}, error() {} },
      requestHandler: { connectionTimeout: 5_000, socketTimeout: 30_000 },
      ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    })
    return { GetObjectCommand, client }
  })
  const open = once(async () => {
    const [{ Disk }, { S3Driver }] = await Promise.all([import('flydrive'), import('flydrive/drivers/s3')])
    const { client } = await connect()
    return new Disk(new S3Driver({ client, bucket: url.hostname, visibility: 'private', supportsACL: false }))
  })
  return {
    ...reading(open),
    /** S3 asks for the length before the first byte, which a stream does not tell: it is laid aside first. */
    async write(name, content) {
      const disk = await open()
      if (content instanceof Uint8Array) return disk.put(name, content)
      await using aside = await mkdtempDisposable(join(tmpdir(), 'lectern-'))
      const path = join(aside.path, 'content')
      await pipeline(content, createWriteStream(path))
      await putFile(disk, name, path)
    },
    async read(name, range) {
      const { GetObjectCommand, client } = await connect()
      return readOn(async (done) => {
        const start = (range?.start ?? 0) + done
        const bytes = range || done > 0 ? `bytes=${start}-${range?.end ?? ''}` : undefined
        const wanted = new GetObjectCommand({ Bucket: url.hostname, Key: name, Range: bytes })
        const { Body, ContentRange } = await client.send(wanted)
        const isOther = bytes && !ContentRange?.startsWith(`bytes ${start}-`)
        if (isOther || !(Body instanceof Readable))
          throw new Error(`the bucket gave not the content of ${name}`)
        return Body
      })
    },
  }
}

/** The client of S3 repeats by itself only what is not a stream. */
async function putFile(disk: Disk, name: string, path: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await disk.putStream(name, createReadStream(path))
    } catch (error) {
      await pauseOrThrow(error, tries)
    }
  }
}

/** The content that `open` gives, asked for anew from where it broke off: a stored file never changes. */
async function readOn(open: (done: number) => Promise<Readable>): Promise<Readable> {
  let content = await open(0)
  async function* read() {
    let done = 0
    for (let tries = 1; ; tries += 1) {
      try {
        for await (const chunk of content) {
          done += chunk.length
          yield chunk
        }
        return
      } catch (error) {
        await pauseOrThrow(error, tries)
        content = await open(done)
      }
    }
  }
  return Readable.from(read(), { objectMode: false })
}

async function pauseOrThrow(error: unknown, tries: number): Promise<void> {
  if (tries === mostTries || !isBucketAway(error)) throw error
  await sleep(50 * 4 ** tries)
}

function reading(open: () => Promise<Disk>): Pick<Storage, 'stat' | 'remove' | 'list'> {
  return {
    async *list(folder) {
      const disk = await open()
      let paginationToken: string | undefined
      do {
        const page = await listPage(disk, folder, paginationToken)
        for (const object of page.objects) if (object.isFile) yield object.key
        ;({ paginationToken } = page)
      } while (paginationToken)
    },
    async stat(name) {
      const disk = await open()
      if (!(await disk.exists(name))) return undefined
      const { contentLength, lastModified } = await disk.getMetaData(name)
      const etag = `"${contentLength.toString(36)}-${lastModified.getTime().toString(36)}"`
      return { size: contentLength, etag, modified: lastModified }
    },
    remove: async (name) => (await open()).delete(name),
  }
}

/** A folder that was never written to is empty. */
async function listPage(disk: Disk, folder: string, paginationToken: string | undefined) {
  const options = { recursive: true, ...(paginationToken && { paginationToken }) }
  return disk.listAll(folder, options).catch((error: unknown) => {
    if (error instanceof Error && errorCode(error.cause) === 'ENOENT')
      return { objects: [], paginationToken: undefined }
    throw error
  })
}
