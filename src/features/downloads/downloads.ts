// From a purchase to its file: a signed link that lives minutes, checked again whenever it is used.
import type { WithAuth } from '../accounts/auth.ts'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { fileFormat, type FileFormat } from '../products/contract/file-formats.ts'
import { findBoughtFile, type WantedFile } from './bought-file.ts'
import type { Download } from '../purchases/contract/purchases.ts'
import type { StoredFile } from '#platform/storage.ts'
import { downloads } from './schema.ts'
import { queryFirst } from '#platform/db/query.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import { isEntitled } from '../entitlements/entitlements.ts'
import { linkSeconds, readLink, writeLink, type LinkHolder } from '../accounts/signed-links.ts'

export type Caller = { ip: string | undefined; user_agent: string | undefined }
type Wanted = LinkHolder & WantedFile

/**
 * A link to the newest file of what was bought. Of one that is stored elsewhere the shop sees no more than that the
 * caller was sent there, so that counts as its first use.
 */
export async function requestDownload(
  services: Pick<Services, 'db' | 'storage' | 'secrets' | 'clock' | 'log'>,
  wanted: Wanted,
  caller: Caller,
): Promise<Download> {
  const { db, storage, clock, log } = services
  const found = await findBoughtFile(db, wanted)
  if (!found) throw new Problem('purchases.not_found')
  if (!found.is_entitled) throw new Problem('purchases.not_completed')
  if (!found.is_digital) throw new Problem('downloads.unavailable')
  const id = uuidv7()
  const { purchase_id } = wanted
  if (!found.file_path || !found.title) {
    const { download_url: url, name: file_name } = found
    if (!url) throw new Problem('downloads.unavailable')
    await db.insert(downloads).values({ id, purchase_id, file_path: url, started_at: clock(), ...caller })
    return { url, file_name, file_size: 0, expires_in: linkSeconds.downloads }
  }
  if (found.is_lost) throw new Problem('downloads.lost')
  const file = await storage.stat(found.file_path)
  if (!file) {
    log.error({ purchase_id, file_path: found.file_path }, 'a sold file is not in storage')
    throw new Problem('downloads.unavailable')
  }
  await db.insert(downloads).values({ id, purchase_id, file_path: found.file_path })
  const link = await writeLink(services, 'downloads', wanted, id)
  return {
    url: `/api/files/${link}`,
    file_name: `${found.title}.${found.file_format}`,
    file_size: file.size,
    expires_in: linkSeconds.downloads,
  }
}

export type OpenedFile = StoredFile & { file_path: string; file_name: string; file_format: FileFormat }

const wantedFile = z.object({
  is_entitled: z.boolean(),
  file_path: z.string(),
  file_format: fileFormat,
  title: z.string(),
  is_lost: z.boolean(),
  is_first: z.boolean(),
})

/** What a link stands for, if it still may be had; the first use is stored with the caller's address. */
export async function openDownload(
  services: Pick<Services, 'db' | 'storage' | 'secrets' | 'clock'> & WithAuth,
  token: string,
  caller: Caller,
): Promise<OpenedFile> {
  const { db, storage, clock } = services
  const { content: id, holder } = await readLink(services, 'downloads', token, z.uuid())
  const query = sql`
    select ${isEntitled(sql`p`)} as is_entitled, d.file_path, f.file_format, f.title, f.lost_at is not null as is_lost, d.started_at is null as is_first
    from downloads d join purchases p on p.id = d.purchase_id join product_files f on f.file_path = d.file_path
    where d.id = ${id} and p.user_id = ${holder.id}`
  const found = await queryFirst(db, wantedFile, query)
  if (!found) throw new Problem('request.not_found')
  if (!found.is_entitled) throw new Problem('purchases.not_completed')
  if (found.is_lost) throw new Problem('downloads.lost')
  const file = await storage.stat(found.file_path)
  if (!file) throw new Problem('downloads.unavailable')
  if (found.is_first) {
    await db
      .update(downloads)
      .set({ started_at: clock(), ...caller })
      .where(and(eq(downloads.id, id), isNull(downloads.started_at)))
  }
  const { file_path, file_format, title } = found
  return { ...file, file_path, file_format, file_name: `${title}.${file_format}` }
}
