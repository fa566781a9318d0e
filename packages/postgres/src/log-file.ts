// PostgreSQL's own log: two files of at most a megabyte each, however long it runs.
import { appendFileSync, renameSync, statSync } from 'node:fs'

const LIMIT_BYTES = 1_000_000

export type LogFile = { write(chunk: Buffer): void }

export function openLogFile(path: string): LogFile {
  let size = statSync(path, { throwIfNoEntry: false })?.size ?? 0

  function write(chunk: Buffer) {
    try {
      if (size + chunk.length > LIMIT_BYTES) {
        renameSync(path, `${path}.old`)
        size = 0
      }
      appendFileSync(path, chunk, { mode: 0o600 })
      size += chunk.length
    } catch {
      // A full disk may cost log lines, never the shop.
    }
  }
  return { write }
}
