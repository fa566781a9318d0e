// Rows on their way into a table, by COPY: made as the database takes them, never kept.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

export type Progress = (done: number) => void
type Field = string | number | null

const rowsAtOnce = 1000

/** `into` names the table and its columns; nothing in a field may need escaping. */
export async function copyRows(
  client: Client,
  into: string,
  rows: Iterable<Field[]>,
  onProgress: Progress = () => undefined,
): Promise<void> {
  function* chunks() {
    let chunk = ''
    let done = 0
    for (const row of rows) {
      for (const [nth, field] of row.entries()) chunk += `${nth === 0 ? '' : '\t'}${field ?? String.raw`\N`}`
      chunk += '\n'
      done += 1
      if (done % rowsAtOnce !== 0) continue
      yield chunk
      onProgress(done)
      chunk = ''
    }
    yield chunk
    if (done % rowsAtOnce !== 0) onProgress(done)
  }
  await pipeline(Readable.from(chunks()), client.query(copyFrom(`copy ${into} from stdin`)))
}
