// Reading rows of raw SQL, and lists page by page.
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { z } from 'zod'
import { toCents } from '#contract/money.ts'
import type { Db, Transaction } from './client.ts'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Page } from '#contract/fields.ts'
import { platformProblem } from '../problem.ts'

export async function queryAll<Row>(db: Db | Transaction, row: z.ZodType<Row>, query: SQL): Promise<Row[]> {
  const { rows } = await db.execute(query)
  return z.array(row).parse(rows)
}

export async function queryFirst<Row>(
  db: Db | Transaction,
  row: z.ZodType<Row>,
  query: SQL,
): Promise<Row | undefined> {
  const [first] = await queryAll(db, row, query)
  return first
}

export async function queryOne<Row>(db: Db | Transaction, row: z.ZodType<Row>, query: SQL): Promise<Row> {
  const { rows } = await db.execute(query)
  const [only] = z.tuple([row]).parse(rows)
  return only
}

/** Raw SQL returns amounts as decimals. */
export const cents = z.number().transform(toCents)

/** Raw SQL returns a timestamptz as PostgreSQL's text. */
export const isoTime = z.coerce.date().transform((time) => time.toISOString())

const batchRows = 10_000

/** A statement may not take longer than the pool's limit, so rows go in batches. */
export async function deleteBatches(db: Db, key: PgColumn, isOld: SQL | undefined): Promise<void> {
  const { table } = key
  const batch = sql`
    delete from ${table} where ${key} in (select ${key} from ${table} where ${isOld} limit ${batchRows})`
  while ((await db.execute(batch)).rowCount === batchRows);
}

export type PgClient = { query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> }

export async function queryRow<Row>(
  client: PgClient,
  row: z.ZodType<Row>,
  text: string,
  values?: unknown[],
): Promise<Row> {
  const { rows } = await client.query(text, values)
  return z.tuple([row]).parse(rows)[0]
}

/** The ids beside a row of a table that is listed newest first. `isShown`: what the list shows, of a row `n`. */
export function neighborsOf(table: SQL, id: string, isShown: SQL = sql`true`): SQL {
  const here = sql`(select here.created_at, here.id from ${table} here where here.id = ${id})`
  return sql`jsonb_build_object(
    'newer', (select n.id from ${table} n where (n.created_at, n.id) > ${here} and ${isShown}
      order by n.created_at, n.id limit 1),
    'older', (select n.id from ${table} n where (n.created_at, n.id) < ${here} and ${isShown}
      order by n.created_at desc nulls first, n.id desc nulls first limit 1))`
}

export function dayIn(timeZone: string, moment: Date): string {
  return moment.toLocaleDateString('sv-SE', { timeZone })
}

export function midnight(day: string, timeZone: string, later = 0): SQL {
  return sql`(${day}::date + ${later}::int)::timestamp at time zone ${timeZone}`
}

/** True within the day, as the calendar of the time zone has it. */
export function isOnDay(at: SQLWrapper, day: string, timeZone: string): SQL {
  return sql`${at} >= ${midnight(day, timeZone)} and ${at} < ${midnight(day, timeZone, 1)}`
}

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
