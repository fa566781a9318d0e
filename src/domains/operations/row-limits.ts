// How far the rows of a backup may grow as they are unpacked: a file may be made so that they fill the disk or the memory.
import { Transform } from 'node:stream'
import type { TableEntry } from './backup-store.ts'

const megabyte = 1024 * 1024
/** PostgreSQL holds one in its memory. */
const maxRowBytes = 64 * megabyte
const bytesPerLook = 64 * megabyte

type Limits = Pick<TableEntry, 'rows' | 'bytes'>

/** Fails with the first byte that is too many. `requireRoom` is called before every 64 MB, and throws where none is left. */
export function limitRows(
  { rows, bytes = Infinity }: Limits,
  requireRoom: () => Promise<void> = async () => undefined,
): Transform {
  let [total, lines, ofRow, untilLook] = [0, 0, 0, 0]
  function findExcess(chunk: Buffer): string | undefined {
    total += chunk.length
    let start = 0
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, start)) {
      lines += 1
      ofRow = 0
      start = at + 1
    }
    // A row that ends within a chunk is at most a chunk larger.
    ofRow += chunk.length - start
    if (ofRow > maxRowBytes) return 'one of them is larger than 64 MB'
    if (lines > rows || total > bytes) return 'they are more than the backup says'
    return undefined
  }
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const excess = findExcess(chunk)
      if (excess) return done(new Error(excess))
      untilLook -= chunk.length
      if (untilLook > 0) return done(null, chunk)
      untilLook = bytesPerLook
      requireRoom().then(() => done(null, chunk), done)
    },
  })
}
