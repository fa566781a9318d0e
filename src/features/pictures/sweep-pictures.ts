// Removing pictures that nothing shows any more.
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { queryAll } from '#platform/db/query.ts'
import type { Services } from '../../services.ts'
import { giveUpFiles } from '../ebooks/file-import.ts'
import { fileOf } from './add-picture.ts'

const unusedMs = 24 * 3_600_000

/** For a row of `pictures`. */
const isUsed = sql`(
  exists (select from products where products.cover_id = pictures.id)
  or exists (
    select from (select document from book_draft union all select document from book_versions) books
    where pictures.id::text in (document->'cover'->>'id', document->'author'->'portrait'->>'id')))`

/** A picture goes after a day without use: until then a document may be saved, or brought back, that has it. */
export async function sweepPictures({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
  const now = clock()
  const old = new Date(now.getTime() - unusedMs)
  await db.execute(sql`
    update pictures set unused_since = case when ${isUsed} then null else ${now.toISOString()}::timestamptz end
    where (unused_since is null) <> ${isUsed}`)
  await db.transaction(async (tx) => {
    const query = sql`
      delete from pictures where unused_since < ${old.toISOString()} and not ${isUsed} returning id, renditions`
    const removed = await queryAll(tx, z.object({ id: z.uuid(), renditions: z.array(z.string()) }), query)
    await giveUpFiles(
      tx,
      removed.flatMap(({ id, renditions }) => renditions.map((name) => fileOf(id, name))),
    )
  })
}
