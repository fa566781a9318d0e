import { and, eq, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '#platform/db/client.ts'
import { queryFirst } from '#platform/db/query.ts'
import { isGuestAccount } from '#domains/accounts/accounts.ts'
import { isEntitled } from '#domains/orders/entitlements.ts'
import { defineBulkMailJob } from '#domains/mail/bulk-mails.ts'
import { fileFormat } from '#contract/catalog/file-formats.ts'
import { findChoicesToken } from './mail-choices.ts'
import { edition_mails } from '#tables/editions.ts'

type Owner = { file_id: string; user_id: string }

export const editionMailJob = defineBulkMailJob({
  name: 'mail.edition',
  kind: 'edition',
  payload: z.object({ file_id: z.uuid(), user_id: z.uuid() }),
  async compose({ db }, owner, letterhead) {
    const { editionEmail } = await import('./edition-email.ts')
    const found = await findEditionMail(db, owner)
    if (!found) return undefined
    const choicesUrl = `${letterhead.siteUrl}/emails/${await findChoicesToken(db, owner.user_id)}`
    return editionEmail({ ...found, choicesUrl }, letterhead)
  },
  async save(db, { file_id, user_id }, state) {
    const isOwn = and(eq(edition_mails.file_id, file_id), eq(edition_mails.user_id, user_id))
    await db.update(edition_mails).set(state).where(isOwn)
  },
})

const editionOfFile = {
  product_name: z.string(),
  edition: z.number(),
  changes: z.string(),
  files: z.array(z.object({ file_format: fileFormat, edition: z.number() })),
}
const editionMail = z.object({
  to: z.string(),
  name: z.string().nullable(),
  is_guest: z.boolean(),
  ...editionOfFile,
})

const columnsOfFile = sql`
  product.name as product_name, f.edition, f.changes, (
    select jsonb_agg(jsonb_build_object('file_format', file_format, 'edition', edition) order by file_format) from (
      select file_format, max(edition) as edition from product_files
      where product_id = f.product_id group by file_format) newest) as files`

/** For a file `f` and a purchase `p`: it gives the file's product, and was there before the file. */
export const isOwnerBefore: SQL = sql`(p.user_id is not null and p.created_at < f.created_at and (p.product_id = f.product_id
  or p.product_id in (select i.bundle_id from bundle_items i where i.product_id = f.product_id)))`

/** For a user_id: the reader gets these emails. */
export const wantsEditions = (user_id: SQL): SQL => sql`(
  exists (select from profiles where profiles.user_id = ${user_id} and profiles.email <> '')
  and not exists (select from mail_choices c where c.user_id = ${user_id} and not c.has_editions))`

/** Undefined for who has no right to it any more, has turned these emails off or is told of a newer one. */
async function findEditionMail(db: Db, { file_id, user_id }: Owner) {
  return queryFirst(
    db,
    editionMail,
    sql`
      select owner.email as to, owner.display_name as name, ${isGuestAccount(sql`owner.user_id`)} as is_guest,
        ${columnsOfFile}
      from product_files f join products product on product.id = f.product_id
        join profiles owner on owner.user_id = ${user_id}
      where f.id = ${file_id} and ${wantsEditions(sql`owner.user_id`)}
        and exists (select from purchases p where p.user_id = owner.user_id and ${isOwnerBefore} and ${isEntitled(sql`p`)})
        and not exists (select from product_files newer join edition_announcements a on a.file_id = newer.id
          where newer.product_id = f.product_id and newer.file_format = f.file_format and newer.edition > f.edition)`,
  )
}

const sampleMail = z.object({
  ...editionOfFile,
  product_id: z.string(),
  file_format: fileFormat,
  is_newest: z.boolean(),
})

/** As an owner would get it, to nobody. */
export async function findSampleMail(db: Db, file_id: string) {
  return queryFirst(
    db,
    sampleMail,
    sql`
      select ${columnsOfFile}, f.product_id, f.file_format, f.edition = (select max(edition) from product_files newest
        where newest.product_id = f.product_id and newest.file_format = f.file_format) as is_newest
      from product_files f join products product on product.id = f.product_id
      where f.id = ${file_id}`,
  )
}
