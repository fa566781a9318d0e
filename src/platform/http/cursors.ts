import { z } from 'zod'
import type { Page } from '#contract/fields.ts'
import { platformProblem } from '../problem.ts'

export const moment = z
  .string()
  .regex(/^(?!0000)\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?[+-](0\d|1[0-4])(:\d\d)?$/)
  .refine((text) => calendarMoment.safeParse(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')).success)
const calendarMoment = z.iso.datetime({ offset: true })

export const momentKey = z.tuple([moment, z.uuid()])

/** Times are PostgreSQL's text: a Date loses microseconds. */
export function readCursor<Key extends z.ZodType>(
  after: string | undefined,
  key: Key,
): z.output<Key> | undefined {
  if (after === undefined) return undefined
  try {
    return key.parse(JSON.parse(Buffer.from(after, 'base64url').toString()))
  } catch {
    throw platformProblem('request.invalid', { fields: { after: 'This page is not known.' } })
  }
}

function writeCursor(key: unknown): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url')
}

export function toPage<Row, Item>(
  rows: Row[],
  size: number,
  { item, key }: { item: (row: Row) => Item; key: (row: Row) => unknown },
): Page<Item> {
  const shown = rows.slice(0, size)
  const last = rows.length > size ? shown.at(-1) : undefined
  return { items: shown.map(item), next: last ? writeCursor(key(last)) : null }
}

export function containing(term: string): string {
  return `%${term.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}
