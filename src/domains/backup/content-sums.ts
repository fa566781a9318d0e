// Content as it is read: its checksum, its size and the number of its lines.
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { PassThrough, Transform } from 'node:stream'
import { failureReason } from '#platform/errors.ts'
import { pipeline } from 'node:stream/promises'

export function checked(content: Readable, sha256: string): Readable {
  const meter = createMeter((observe) =>
    observe.sha256 === sha256
      ? null
      : new Error(`the object ${sha256} is damaged: its content has the hash ${observe.sha256}`),
  )
  return connect(content, meter.through)
}

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

/** `size` in bytes. COPY ends every row with a line feed and escapes those within, so `lines` counts rows. */
export type Content = { sha256: string; size: number; lines: number }

/** `check` is called with what has passed through; its error fails the stream. */
export function createMeter(check?: (content: Content) => Error | null) {
  const hash = createHash('sha256')
  let size = 0
  let lines = 0
  const result = (): Content => ({ sha256: hash.digest('hex'), size, lines })
  function add(chunk: Buffer) {
    hash.update(chunk)
    size += chunk.length
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1
  }
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      add(chunk)
      done(null, chunk)
    },
    flush: (done) => done(check?.(result())),
  })
  return { add, through, result }
}

export async function measure(content: Readable): Promise<Content> {
  const meter = createMeter()
  for await (const chunk of content) meter.add(chunk)
  return meter.result()
}
