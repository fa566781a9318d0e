// Removing pictures that nothing shows any more.
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { queryAll } from '#platform/db/query.ts'
import type { Services } from '../../services.ts'
import { insertUnsettled } from '../ebooks/file-import.ts'
import { fileOf } from './add-picture.ts'

const unusedMs = 24 * 3_600_000

/** For a statement in which `used` is joined to: each document is read once, not once for each picture. */
const withUsed = sql`
  with books as (select document from book_draft union all select document from book_versions),
  used as materialized (
    select cover_id::text as id from products where cover_id is not null
    union select document->'cover'->>'id' from books
    union select document->'author'->'portrait'->>'id' from books)`
/** For a row of `pictures`. */
const isUsed = sql`exists (select from used where used.id = pictures.id::text)`

/** A picture goes after a day without use: until then a document may be saved, or brought back, that has it. */
export async function sweepPictures({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const now = clock()
  const old = new Date(now.getTime() - unusedMs).toISOString()
  await db.execute(sql`
    ${withUsed}
    update pictures set unused_since = case when ${isUsed} then null else ${now.toISOString()}::timestamptz end
    where (unused_since is null) <> ${isUsed}`)
  await db.transaction(async (tx) => {
    // Waits for transactions that hold a picture; only a later statement sees what they have saved.
    const lock = sql`select id from pictures where unused_since < ${old} order by id for update`
    const locked = (await queryAll(tx, z.object({ id: z.uuid() }), lock)).map(({ id }) => id)
    const remove = sql`
      ${withUsed}
      delete from pictures where id = any(${sql.param(locked)}::uuid[]) and not ${isUsed} returning id, renditions`
    const removed = await queryAll(tx, z.object({ id: z.uuid(), renditions: z.array(z.string()) }), remove)
    await insertUnsettled(
      tx,
      removed.flatMap(({ id, renditions }) => renditions.map((name) => fileOf(id, name))),
    )
  })
}
