// Files in an S3 bucket, or in a folder of one.
import { createHash, randomUUID, type Hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { openBucketClient, statusOf } from './bucket-client.ts'
import { readObject } from './read-object.ts'
import { storedFile, type Storage } from './storage.ts'

/** `temporaryFolder` is made when it is needed. */
export function openBucket(url: URL, temporaryFolder: string): Storage {
  const bucket = openBucketClient(url)
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
    /** S3 asks for the length before the first byte, and another attempt begins anew: a stream is written to a file first. */
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
          if (statusOf(error) === 404) return undefined
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
