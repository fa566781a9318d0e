// A log whose lines a test reads.
import { Writable } from 'node:stream'
import { createLog } from '#platform/log.ts'

export function openLogLines(level = 'info') {
  const lines: Record<string, unknown>[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  return { log: createLog(level, sink), lines }
}
