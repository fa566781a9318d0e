// The rows of a backup are unpacked within limits: a file may be made so that they fill the disk or the memory.
import type { TableEntry } from './manifest.ts'

const megabyte = 1024 * 1024
/** PostgreSQL holds one in its memory. */
const maxRowBytes = 64 * megabyte
const bytesPerLook = 64 * megabyte

type Limits = Pick<TableEntry, 'rows' | 'bytes'>

/** A step of a pipeline that fails at what is too much. `requireRoom` is called every 64 MB, and throws where none is left. */
export function limitRows(limits: Limits, requireRoom: () => Promise<void> = async () => undefined) {
  return async function* limited(rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const findExcess = createCheck(limits)
    let untilLook = 0
    for await (const chunk of rows) {
      const excess = findExcess(chunk)
      if (excess) throw new Error(excess)
      untilLook -= chunk.length
      if (untilLook <= 0) {
        await requireRoom()
        untilLook = bytesPerLook
      }
      yield chunk
    }
  }
}

function createCheck({ rows, bytes }: Limits) {
  let [total, lines, ofRow] = [0, 0, 0]
  return (chunk: Buffer): string | undefined => {
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
}
