// Lists as CSV (RFC 4180), row after row: a million of them pass through without being held.
import { sql, type SQL } from 'drizzle-orm'
import type { ExportRequest } from '#contract/exports.ts'
import type { Db } from '../db/client.ts'
import { Problem } from '../problem.ts'
import { isSignedBy, sign } from '../secret.ts'
import type { Services } from '../services.ts'
import { recordDeed, type Actor } from './audit.ts'
import { dayIn } from './sales.ts'

const linkSeconds = 5 * 60
const batchSize = 2_000

/** A link that carries what was asked for, who asked, and until when; writes down that it was given out. */
export async function requestExport(
  { db, secret, clock }: Pick<Services, 'db' | 'secret' | 'clock'>,
  actor: Actor,
  request: ExportRequest,
): Promise<{ url: string }> {
  const expires = clock().getTime() + linkSeconds * 1000
  const claim = Buffer.from(JSON.stringify({ ...request, user_id: actor.id, expires })).toString('base64url')
  await recordDeed(db, actor, {
    action: `${request.list}.exported`,
    subject: `all ${request.list}`,
    detail: request,
  })
  return { url: `/api/exports/${claim}.${sign(secret.key('exports'), claim)}` }
}

export type OpenedExport = { file_name: string; lines: AsyncGenerator<string> }

/** Throws request.not_found for a forged link, downloads.link_expired, access.forbidden for one who is no admin any more. */
export async function openExport(
  { db, secret, clock, config }: Pick<Services, 'db' | 'secret' | 'clock' | 'config'>,
  token: string,
): Promise<OpenedExport> {
  const [claim = '', signature = ''] = token.split('.')
  if (!isSignedBy(secret.key('exports'), claim, signature)) throw new Problem('request.not_found')
  const asked = JSON.parse(Buffer.from(claim, 'base64url').toString()) as ExportRequest & {
    user_id: string
    expires: number
  }
  if (asked.expires < clock().getTime()) throw new Problem('downloads.link_expired')
  const { rowCount } = await db.execute(
    sql`select from user_roles where user_id = ${asked.user_id} and role = 'admin'`,
  )
  if (!rowCount) throw new Problem('access.forbidden')
  const today = dayIn(config.timeZone, clock())
  return {
    file_name: `${asked.list} ${today}.csv`,
    lines: readLines(db, lists[asked.list], asked, config.timeZone),
  }
}

type List = {
  columns: readonly string[]
  /** What a row is known by, as its table names it. */
  key: SQL
  /** One batch of the rows that are wanted, in order, each beginning with its place. */
  read: (wanted: SQL) => SQL
}
type Place = { at: string; id: string }
type Row = Place & Record<string, string | number | null>

const iso = (column: SQL) => sql`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SSTZH:TZM')`

const lists: Record<ExportRequest['list'], List> = {
  purchases: {
    columns: 'id,date,email,name,product,format,status,amount,refunded,kept'.split(','),
    key: sql`id`,
    read: (wanted) => sql`
      select b.created_at::text as at, b.id, ${iso(sql`b.created_at`)} as date, u.email, u.display_name as name,
        p.name as product, p.format, b.status, b.amount, b.refunded,
        case when is_completed(b.status) then b.amount - b.refunded else 0 end as kept
      from (
        select * from purchases where ${wanted} order by created_at, id limit ${batchSize}
      ) b join products p on p.id = b.product_id join profiles u on u.user_id = b.user_id
      order by b.created_at, b.id`,
  },
  users: {
    columns: 'id,joined,email,name,role,purchases,total_spent,last_purchase'.split(','),
    key: sql`user_id`,
    read: (wanted) => sql`
      select u.created_at::text as at, u.user_id as id, ${iso(sql`u.created_at`)} as joined, u.email,
        u.display_name as name, u.top_role as role, s.total_purchases as purchases, s.total_spent,
        ${iso(sql`s.last_purchase`)} as last_purchase
      from (
        select * from profiles where ${wanted} order by created_at, user_id limit ${batchSize}
      ) u left join reader_sums s using (user_id)
      order by u.created_at, u.user_id`,
  },
}

/** Bounds of moments, not of days, so that the walk along the index begins where the range does. */
function wantedRows(request: ExportRequest, after: Place | undefined, key: SQL, zone: string): SQL {
  const { from, to } = request
  const rows = [sql`true`]
  if (from) rows.push(sql`created_at >= ${from}::date::timestamp at time zone ${zone}`)
  if (to) rows.push(sql`created_at < (${to}::date + 1)::timestamp at time zone ${zone}`)
  if (request.list === 'purchases' && request.status) rows.push(sql`status = ${request.status}`)
  if (after) rows.push(sql`(created_at, ${key}) > (${after.at}::timestamptz, ${after.id}::uuid)`)
  return sql.join(rows, sql` and `)
}

/** The mark at the beginning tells spreadsheets that it is UTF-8. Each batch is a query of its own: none is long. */
async function* readLines(db: Db, { columns, key, read }: List, request: ExportRequest, zone: string) {
  yield `\uFEFF${columns.join(',')}\r\n`
  for (let after: Place | undefined; ;) {
    const rows = await readBatch(db, read(wantedRows(request, after, key, zone)), zone)
    yield rows.map((row) => `${columns.map((column) => field(row[column])).join(',')}\r\n`).join('')
    after = rows.at(-1)
    if (rows.length < batchSize) return
  }
}

/** Times are written where the shop is at home. */
function readBatch(db: Db, query: SQL, zone: string): Promise<Row[]> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select set_config('timezone', ${zone}, true)`)
    return (await tx.execute<Row>(query)).rows
  })
}

/** A text that a spreadsheet would take for a formula is marked as text. */
export function field(value: string | number | null | undefined): string {
  if (typeof value === 'number') return String(value)
  const text = value ?? ''
  const safe = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
