// A file's bytes from a bucket: a transfer that breaks off goes on where it stopped.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { attempts, type BucketClient } from './bucket-client.ts'
import { StorageUnavailableError, type ByteRange } from './storage.ts'

const bufferedBytes = 256 * 1024

type Place = { Bucket: string; Key: string }
type Wanted = { range: ByteRange | undefined; etag?: string | undefined }

/**
 * Rejects where there is no such file. The stream fails where attempts without a new byte are used up, and, for a whole
 * file, before its last bytes where its content is not what was written.
 */
export async function readObject(bucket: BucketClient, place: Place, range?: ByteRange): Promise<Readable> {
  const first = await openPart(bucket, place, { range })
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
        if (md5 && at > end && hash.digest('hex') !== md5) throw new Error(`${place.Key} is damaged`)
        yield chunk
      } else {
        failures += 1
        if (failures === attempts) throw new StorageUnavailableError(`${place.Key} breaks off at ${at}`)
        ;({ body } = await openPart(bucket, place, { range: { start: at, end }, etag: first.etag }))
        chunks = body.iterator()
      }
    }
  }

  const content = Readable.from(bytes(), { objectMode: false, highWaterMark: bufferedBytes })
  // Also when not a byte of it was asked for.
  content.once('close', () => body.destroy())
  return content
}

/** Undefined where the transfer broke off, or ended before its time. */
async function nextChunk(chunks: AsyncIterator<Buffer>): Promise<Buffer | undefined> {
  try {
    const { done, value } = await chunks.next()
    return done ? undefined : value
  } catch {
    return undefined
  }
}

/** Rejects where the content is no longer that of `etag`, and where a server sends another part. */
async function openPart(bucket: BucketClient, { Bucket, Key }: Place, { range, etag }: Wanted) {
  const Range = range && `bytes=${range.start}-${range.end}`
  const response = await bucket.call(`reading ${Key}`, ({ client, GetObjectCommand }) =>
    client.send(new GetObjectCommand({ Bucket, Key, Range, IfMatch: etag })),
  )
  const { Body: body, ContentLength: size, ContentRange: part, Metadata } = response
  if (!(body instanceof Readable)) throw new Error(`the bucket ${Bucket} gave no content for ${Key}`)
  // An error that comes while nothing reads is met by the next read.
  body.on('error', () => undefined)
  const isAsWanted = range ? part?.startsWith(`bytes ${range.start}-${range.end}/`) : size !== undefined
  if (!isAsWanted) {
    body.destroy()
    throw new Error(`the bucket ${Bucket} gave another part of ${Key} than was wanted`)
  }
  return { body, size: size ?? 0, etag: response.ETag, md5: Metadata?.['md5'] }
}
