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
const batchSize = 1_000

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
  /** What stands above each column, and what stands in it, as it is to stand in the file. */
  columns: Record<string, SQL>
  /** What a row is known by. */
  key: SQL
  /** One batch of the rows that are wanted, called `b`, and what belongs to them. */
  from: (wanted: SQL) => SQL
}
type Place = { at: string; id: string }
type Batch = Place & { count: number; lines: string | null }

const iso = (moment: SQL) => sql`to_char(${moment}, 'YYYY-MM-DD"T"HH24:MI:SSTZH:TZM')`

/** What people wrote: quoted where it has to be, and marked as text where a spreadsheet would take it for a formula. */
function written(text: SQL): SQL {
  const safe = sql`regexp_replace(${text}, '^(?=[=+@\\t\\r\\n-])', '''')`
  return sql`case when ${text} ~ '[",\\r\\n]' then '"' || replace(${safe}, '"', '""') || '"' else ${safe} end`
}

const lists: Record<ExportRequest['list'], List> = {
  purchases: {
    columns: {
      id: sql`b.id`,
      date: iso(sql`b.created_at`),
      email: written(sql`u.email`),
      name: written(sql`u.display_name`),
      product: written(sql`p.name`),
      format: sql`p.format`,
      status: sql`b.status`,
      amount: sql`b.amount`,
      refunded: sql`b.refunded`,
      kept: sql`kept(b.status, b.amount, b.refunded)`,
    },
    key: sql`id`,
    from: (wanted) => sql`
      (select * from purchases where ${wanted} order by created_at, id limit ${batchSize}) b
      join products p on p.id = b.product_id join profiles u on u.user_id = b.user_id`,
  },
  users: {
    columns: {
      id: sql`b.user_id`,
      joined: iso(sql`b.created_at`),
      email: written(sql`b.email`),
      name: written(sql`b.display_name`),
      role: sql`b.top_role`,
      purchases: sql`s.total_purchases`,
      total_spent: sql`s.total_spent`,
      last_purchase: iso(sql`s.last_purchase`),
    },
    key: sql`user_id`,
    from: (wanted) => sql`
      (select * from profiles where ${wanted} order by created_at, user_id limit ${batchSize}) b
      left join reader_sums s on s.user_id = b.user_id`,
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
async function* readLines(db: Db, list: List, request: ExportRequest, zone: string) {
  yield `\uFEFF${Object.keys(list.columns).join(',')}\r\n`
  for (let after: Place | undefined; ;) {
    const batch = await readBatch(db, list, wantedRows(request, after, list.key, zone), zone)
    yield batch.lines ?? ''
    after = batch
    if (batch.count < batchSize) return
  }
}

/**
 * The database writes the lines: as rows, each would be dozens of objects here, and a million of them a heap.
 * Times are written where the shop is at home.
 */
function readBatch(db: Db, { columns, key, from }: List, wanted: SQL, zone: string): Promise<Batch> {
  const cells = Object.values(columns).map((column) => sql`coalesce((${column})::text, '')`)
  return db.transaction(async (tx) => {
    await tx.execute(sql`select set_config('timezone', ${zone}, true)`)
    const { rows } = await tx.execute<Batch>(sql`
      select count(*) as count, string_agg(line, '' order by created_at, id) as lines,
        max(created_at)::text as at, (array_agg(id order by created_at desc, id desc))[1] as id
      from (
        select b.created_at, b.${key} as id, concat_ws(',', ${sql.join(cells, sql`, `)}) || E'\\r\\n' as line
        from ${from(wanted)}
      ) as batch`)
    return rows[0]!
  })
}
