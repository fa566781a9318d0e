// The store of the shop's files: a folder, or a bucket. Names are the shop’s ("ebooks/…"), never a visitor’s.
import { PrivateHostError, PublicAgent } from './public-connection.ts'
import { bucketPorts } from '#contract/network.ts'
import { Readable } from 'node:stream'
import { createHash, randomUUID, type Hash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm, stat, readdir, rename, writeFile } from 'node:fs/promises'
import { join, dirname, relative, resolve, sep } from 'node:path'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config.ts'
import { outgoingFolder } from './data-folders.ts'
import { unlessMissing, failureReason, isNetworkError } from './errors.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { readBucketSettings } from '../variables.ts'
import { once } from './cached.ts'

export type StoredFile = {
  size: number
  /** Strong: a stored file never changes. */
  etag: string
  modified: Date
}

type ByteRange = { start: number; end: number }

/** Throws a StorageUnavailableError where there was no usable response in time. */
export type Storage = {
  /** A name is never seen with half its bytes. */
  write(name: string, content: Readable | Uint8Array): Promise<void>
  stat(name: string): Promise<StoredFile | undefined>
  /** `chunkBytes`, of a folder: larger chunks are faster and take more memory. */
  read(name: string, range?: ByteRange, chunkBytes?: number): Promise<Readable>
  remove(name: string): Promise<void>
  list(folder: string, signal?: AbortSignal): AsyncIterable<string>
}

export class StorageUnavailableError extends Error {}

function storedFile(size: number, modified: Date): StoredFile {
  const etag = `"${size.toString(36)}-${modified.getTime().toString(36)}"`
  return { size, etag, modified }
}

type Expected = { name: string; size: number; sha256: string }

export async function isIntact(storage: Storage, { name, size, sha256 }: Expected): Promise<boolean> {
  if ((await storage.stat(name))?.size !== size) return false
  const hash = createHash('sha256')
  await pipeline(await storage.read(name), hash)
  return hash.digest('hex') === sha256
}

export function storedName(now: Date, title: string, extension: string): string {
  return `ebooks/${now.getTime()}-${title.replaceAll(/[^a-zA-Z0-9]/g, '-')}.${extension}`
}

function openBucket(url: URL, temporaryFolder: string, access?: BucketAccess): Storage {
  const bucket = openBucketClient(url, access)
  const Bucket = bucket.name
  const folder = decodeURIComponent(url.pathname).replace(/^\/+/, '').replace(/[^/]$/, '$&/')
  const at = (name: string) => ({ Bucket, Key: folder + name })

  type Content = { size: number; md5: Buffer; open: () => Readable | Uint8Array }

  async function put(name: string, { size, md5, open }: Content): Promise<void> {
    await bucket.call(`writing ${name}`, async ({ client, PutObjectCommand }) => {
      const Body = open()
      const Metadata = { md5: md5.toString('hex') }
      const ContentMD5 = md5.toString('base64')
      try {
        await client.send(
          new PutObjectCommand({ ...at(name), Body, ContentLength: size, ContentMD5, Metadata }),
        )
      } finally {
        if (Body instanceof Readable) Body.destroy()
      }
    })
  }

  return {
    async write(name, content) {
      if (content instanceof Uint8Array) {
        const md5 = createHash('md5').update(content).digest()
        return put(name, { size: content.length, md5, open: () => content })
      }
      await mkdir(temporaryFolder, { recursive: true })
      const path = join(temporaryFolder, randomUUID())
      const hash = createHash('md5')
      try {
        await pipeline(content, hashing(hash), createWriteStream(path, { mode: 0o600 }))
        const { size } = await stat(path)
        await put(name, { size, md5: hash.digest(), open: () => createReadStream(path) })
      } finally {
        await rm(path, { force: true })
      }
    },
    stat: (name) =>
      bucket.call(`looking up ${name}`, async ({ client, HeadObjectCommand }) => {
        try {
          const { ContentLength, LastModified } = await client.send(new HeadObjectCommand(at(name)))
          if (ContentLength === undefined || !LastModified) throw new Error('there is no length or time')
          return storedFile(ContentLength, LastModified)
        } catch (error) {
          if (httpStatus(error) === 404) return undefined
          throw error
        }
      }),
    read: (name, range) => readObject(bucket, at(name), range),
    async remove(name) {
      await bucket.call(`removing ${name}`, ({ client, DeleteObjectCommand }) =>
        client.send(new DeleteObjectCommand(at(name))),
      )
    },
    async *list(prefix, signal) {
      let token: string | undefined
      do {
        const page = await bucket.call(
          `listing ${prefix}`,
          ({ client, ListObjectsV2Command }) =>
            client.send(
              new ListObjectsV2Command({ Bucket, Prefix: folder + prefix, ContinuationToken: token }),
              { ...(signal && { abortSignal: signal }) },
            ),
          signal,
        )
        for (const { Key } of page.Contents ?? []) if (Key) yield Key.slice(folder.length)
        token = page.IsTruncated ? page.NextContinuationToken : undefined
      } while (token)
    },
  }
}

function hashing(hash: Hash) {
  return async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      hash.update(chunk)
      yield chunk
    }
  }
}

const bufferedBytes = 256 * 1024

type ObjectKey = { Bucket: string; Key: string }
type ReadOptions = { range: ByteRange | undefined; etag?: string | undefined }

/** Goes on where a transfer broke off. A whole file fails before its last bytes where its content is not what was written. */
async function readObject(bucket: BucketClient, object: ObjectKey, range?: ByteRange): Promise<Readable> {
  const first = await openPart(bucket, object, { range })
  let { body } = first
  const end = range?.end ?? first.size - 1
  const md5 = range ? undefined : first.md5

  async function* bytes(): AsyncGenerator<Buffer> {
    const hash = createHash('md5')
    let chunks = body.iterator()
    let at = range?.start ?? 0
    for (let failures = 0; at <= end;) {
      const chunk = await nextChunk(chunks)
      if (chunk) {
        at += chunk.length
        failures = 0
        if (md5) hash.update(chunk)
        if (md5 && at > end && hash.digest('hex') !== md5) throw new Error(`${object.Key} is damaged`)
        yield chunk
      } else {
        failures += 1
        if (failures === attempts) throw new StorageUnavailableError(`${object.Key} breaks off at ${at}`)
        ;({ body } = await openPart(bucket, object, { range: { start: at, end }, etag: first.etag }))
        chunks = body.iterator()
      }
    }
  }

  const content = Readable.from(bytes(), { objectMode: false, highWaterMark: bufferedBytes })
  content.once('close', () => body.destroy())
  return content
}

async function nextChunk(chunks: AsyncIterator<Buffer>): Promise<Buffer | undefined> {
  try {
    const { done, value } = await chunks.next()
    return done ? undefined : value
  } catch {
    return undefined
  }
}

async function openPart(bucket: BucketClient, { Bucket, Key }: ObjectKey, { range, etag }: ReadOptions) {
  const Range = range && `bytes=${range.start}-${range.end}`
  const response = await bucket.call(`reading ${Key}`, ({ client, GetObjectCommand }) =>
    client.send(new GetObjectCommand({ Bucket, Key, Range, IfMatch: etag })),
  )
  const { Body: body, ContentLength: size, ContentRange: part, Metadata } = response
  if (!(body instanceof Readable)) throw new Error(`the bucket ${Bucket} gave no content for ${Key}`)
  // The next read reports an error that comes while nothing reads.
  body.on('error', () => undefined)
  const isRequestedPart = range ? part?.startsWith(`bytes ${range.start}-${range.end}/`) : size !== undefined
  if (!isRequestedPart) {
    body.destroy()
    throw new Error(`the bucket ${Bucket} gave another part of ${Key} than was requested`)
  }
  return { body, size: size ?? 0, etag: response.ETag, md5: Metadata?.['md5'] }
}

export function openStorage({ storageUrl, dataDir }: Pick<Config, 'storageUrl' | 'dataDir'>): Storage {
  return storageUrl ? openStorageAt(storageUrl, outgoingFolder(dataDir)) : openFolder(join(dataDir, 'files'))
}

export function openStorageAt(address: string, temporaryFolder = tmpdir(), access?: BucketAccess): Storage {
  const url = new URL(address)
  return url.protocol === 's3:' ? openBucket(url, temporaryFolder, access) : openFolder(fileURLToPath(url))
}

const usualChunk = 64 * 1024

/** A killed process leaves its part here. */
export const incomingFolder = 'incoming/'

function openFolder(folder: string): Storage {
  /** A damaged backup may have a name that leads out of the folder. */
  function pathOf(name: string): string {
    const path = resolve(folder, name)
    if (!path.startsWith(resolve(folder) + sep)) throw new Error(`${name} is not a name of a stored file`)
    return path
  }

  return {
    async write(name, content) {
      const path = pathOf(name)
      const aside = join(folder, incomingFolder, crypto.randomUUID())
      try {
        await mkdir(dirname(aside), { recursive: true })
        await (content instanceof Uint8Array
          ? writeFile(aside, content, { flush: true })
          : pipeline(content, createWriteStream(aside, { flush: true })))
        await mkdir(dirname(path), { recursive: true })
        await rename(aside, path)
      } catch (error) {
        await rm(aside, { force: true })
        throw error
      }
    },
    async stat(name) {
      const result = await stat(pathOf(name)).catch(unlessMissing)
      return result?.isFile() ? storedFile(result.size, result.mtime) : undefined
    },
    read: async (name, range, highWaterMark = usualChunk) =>
      createReadStream(pathOf(name), { ...range, highWaterMark }),
    remove: (name) => rm(pathOf(name), { force: true }),
    async *list(prefix) {
      const entries = await readdir(pathOf(prefix), { recursive: true, withFileTypes: true }).catch(
        unlessMissing,
      )
      for (const entry of entries ?? [])
        if (entry.isFile()) yield relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/')
    },
  }
}

export const attempts = 5
/** The pause before the second attempt, doubled before each later one. */
const firstPauseMs = 100

const silent = () => undefined
/** The client reports what it does not retry itself, on the console and in lines of its own. */
const noLog = { debug: silent, info: silent, warn: silent, error: silent }

type BucketClient = ReturnType<typeof openBucketClient>

/** The client takes its keys from the environment without it. */
export type BucketAccess = {
  credentials: { accessKeyId: string; secretAccessKey: string }
  isPublicOnly: boolean
}

export function openBucketClient(url: URL, access?: BucketAccess) {
  const { region, endpoint, timeout } = readBucketSettings(url)
  const timeoutMs = timeout * 1000
  const connect = once(async () => {
    if (access?.isPublicOnly && endpoint && !endpoint.startsWith('https:')) throw new PrivateHostError()
    const { s3 } = await import('./s3-client.ts')
    // A download to a slow user occupies its connection throughout: no fixed number of them is enough.
    const agent = { maxSockets: Infinity }
    const httpsAgent = access?.isPublicOnly ? new PublicAgent({ ports: bucketPorts, timeoutMs }) : agent
    const client = new s3.S3Client({
      region,
      ...(endpoint && { endpoint, forcePathStyle: true }),
      ...(access && { credentials: access.credentials }),
      maxAttempts: 1,
      logger: noLog,
      requestHandler: {
        connectionTimeout: timeoutMs,
        socketTimeout: timeoutMs,
        httpAgent: agent,
        httpsAgent,
      },
      // Servers before 2025 refuse what the client would add by itself. Files carry an MD5, which all of them check.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    })
    return { client, ...s3 }
  })

  type Sdk = Awaited<ReturnType<typeof connect>>

  return {
    name: url.hostname,
    /** Throws a StorageUnavailableError after the last attempt. `signal` ends the pauses between attempts. */
    async call<Result>(
      what: string,
      send: (sdk: Sdk) => Promise<Result>,
      signal?: AbortSignal,
    ): Promise<Result> {
      const sdk = await connect()
      for (let pauseMs = firstPauseMs, left = attempts - 1; ; pauseMs *= 2, left -= 1) {
        try {
          return await send(sdk)
        } catch (cause) {
          const failure = `${what} in the bucket ${url.hostname} failed: ${reasonOf(cause)}`
          if (!isPassing(cause)) throw new Error(failure, { cause })
          if (left === 0) throw new StorageUnavailableError(failure, { cause })
          await sleep(pauseMs, undefined, { ...(signal && { signal }) })
        }
      }
    },
  }
}

/** Refusals with a status of 4xx that another attempt may not meet: the body was damaged or late on its way. */
const passingNames = new Set([
  'BadDigest',
  'IncompleteBody',
  'RequestTimeout',
  'RequestTimeTooSkewed',
  'XAmzContentSHA256Mismatch',
])

function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const status = httpStatus(error)
  if (status === undefined) return isNetworkError(error) || error.name === 'TimeoutError'
  return status >= 500 ? status !== 501 : status === 408 || status === 429 || passingNames.has(error.name)
}

const response = z.object({ $metadata: z.object({ httpStatusCode: z.number() }) })

export function httpStatus(error: unknown): number | undefined {
  return response.safeParse(error).data?.$metadata.httpStatusCode
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'CredentialsProviderError')
    return 'there are no credentials for it: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'
  const status = httpStatus(error)
  const reason = failureReason(error)
  return status === undefined ? reason : `status ${status}, ${reason}`
}
