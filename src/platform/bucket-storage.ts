// Stores files in a bucket, and reads on where a transfer breaks off.
import { Readable } from 'node:stream'
import { createHash, randomUUID, type Hash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type ByteRange, type Storage, StorageUnavailableError, storedFile } from './storage.ts'
import {
  type BucketAccess,
  type BucketClient,
  attempts,
  httpStatus,
  openBucketClient,
} from './bucket-client.ts'

export function openBucket(url: URL, temporaryFolder: string, access?: BucketAccess): Storage {
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
