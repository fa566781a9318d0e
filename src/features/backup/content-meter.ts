// Counts and hashes content as it passes by.
import { createHash } from 'node:crypto'
import { Transform, type Readable } from 'node:stream'

/** `size` in bytes. COPY ends every row with a line feed and escapes those within, so `lines` counts rows. */
export type Content = { sha256: string; size: number; lines: number }

/** `through` passes the same bytes on; call `result` once, at their end. */
export function createMeter() {
  const hash = createHash('sha256')
  let size = 0
  let lines = 0
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
  })
  return { add, through, result: (): Content => ({ sha256: hash.digest('hex'), size, lines }) }
}

export async function measure(content: Readable): Promise<Content> {
  const meter = createMeter()
  for await (const chunk of content) meter.add(chunk)
  return meter.result()
}
