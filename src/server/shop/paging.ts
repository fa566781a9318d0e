// Pages by key: where a page ended, written down for whoever asks for the next.
import type { z } from 'zod'
import type { Page } from '#contract/paging.ts'
import { Problem } from '../problem.ts'

/** Throws request.invalid for what no page has given. Times are to be written as PostgreSQL's text: a Date loses microseconds. */
export function readCursor<Key extends z.ZodType>(
  after: string | undefined,
  key: Key,
): z.output<Key> | undefined {
  if (after === undefined) return undefined
  try {
    return key.parse(JSON.parse(Buffer.from(after, 'base64url').toString()))
  } catch {
    throw new Problem('request.invalid', { fields: { after: 'This page is not known.' } })
  }
}

function writeCursor(key: unknown): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url')
}

/** `rows` holds one more than `size` when there is a next page. */
export function toPage<Row, Item>(
  rows: Row[],
  size: number,
  { item, key }: { item: (row: Row) => Item; key: (row: Row) => unknown },
): Page<Item> {
  const shown = rows.slice(0, size)
  const last = rows.length > size ? shown.at(-1) : undefined
  return { items: shown.map(item), next: last ? writeCursor(key(last)) : null }
}

/** For ILIKE: the term as it is, wherever it stands. */
export function containing(term: string): string {
  return `%${term.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}
