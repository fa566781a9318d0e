// Any edition of a product, for the author: as long as the session and the role last that asked for the link.
import { platformProblem } from '#platform/problem.ts'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { catalogProblem } from '#domains/catalog/problem.ts'
import type { Services } from '#platform/services.ts'
import type { WithAuth } from '#domains/accounts/auth.ts'
import { mediaTypes } from '#contract/catalog/file-formats.ts'
import { product_files } from '#tables/products.ts'
import { readLink, writeLink, type LinkHolder } from '#platform/signed-links.ts'

export async function requestEdition(
  services: Services,
  holder: LinkHolder,
  id: string,
): Promise<{ url: string }> {
  const [file] = await services.db.select().from(product_files).where(eq(product_files.id, id))
  if (!file) throw catalogProblem('products.edition_not_found')
  if (!(await services.storage.stat(file.file_path))) throw catalogProblem('downloads.lost')
  return { url: `/api/edition-files/${await writeLink(services, 'editions', holder, id)}` }
}

export async function openEdition(services: Services & WithAuth, token: string) {
  const { db, storage } = services
  const { content, holder } = await readLink(services, 'editions', token, z.uuid())
  if (!holder.is_admin) throw platformProblem('access.forbidden')
  const [found] = await db.select().from(product_files).where(eq(product_files.id, content))
  const file = found && (await storage.stat(found.file_path))
  if (!file) throw catalogProblem('downloads.lost')
  const { file_path, file_format, title, edition } = found
  const file_name = `${title}, edition ${edition}.${file_format}`
  return { ...file, file_path, file_name, media_type: mediaTypes[file_format] }
}
