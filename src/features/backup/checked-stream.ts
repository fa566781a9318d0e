// Streams that fail where their content is not what it should be, and say which object it is.
import { createHash } from 'node:crypto'
import { PassThrough, Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { failureReason } from '#platform/failure-reason.ts'

/** The same bytes; fails at the end where they are not those of the hash. */
export function checked(content: Readable, sha256: string): Readable {
  const hash = createHash('sha256')
  const check = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
    flush(done) {
      const found = hash.digest('hex')
      done(
        found === sha256
          ? null
          : new Error(`the object ${sha256} is damaged: its content has the hash ${found}`),
      )
    },
  })
  return connect(content, check)
}

/** The content that `open` returns; all errors, its own too, name the path. */
export async function namingErrors(path: string, open: () => Promise<Readable>): Promise<Readable> {
  const named = (cause: unknown) => new Error(`${path} cannot be read: ${failureReason(cause)}`, { cause })
  try {
    const content = await open()
    const through = new PassThrough()
    content.once('error', (error) => through.destroy(named(error)))
    return connect(content, through)
  } catch (error) {
    throw named(error)
  }
}

/** A failure of either stream destroys the other, and reaches the reader. */
export function connect<Through extends Transform>(content: Readable, through: Through): Through {
  pipeline(content, through).catch(() => undefined)
  return through
}
