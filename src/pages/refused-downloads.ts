// Download links that no longer work, opened as a document: as by a browser that tries a download again, or from a copied
// address. The page that answers leads to the purchase, or says how to get the excerpt.
import type { MiddlewareHandler } from 'hono'
import { refusedDownloadPath } from '#contract/paths.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import { findLinkedPurchase } from '#domains/delivery/downloads.ts'
import { renderProblem, renderRefusals } from '#platform/http/errors.ts'
import type { ApiEnv } from '#platform/http/route.ts'
import { linkSeconds } from '#platform/signed-links.ts'
import { openPageLimit } from './page-limit.ts'
import type { Site } from './site.ts'

/** Programs get the problem document, and so does everybody while no page can be shown. The status is the same. */
export function refuseDownloads(
  services: CommerceShop,
  site: Pick<Site, 'answer'>,
): MiddlewareHandler<ApiEnv> {
  const limit = openPageLimit(services)
  return renderRefusals(async (refusal, c, request_id) => {
    const { code, status, retryAfter } = refusal
    const isDocument = c.req.header('sec-fetch-dest') === 'document'
    if (!isDocument || status >= 500) return renderProblem(refusal, c, request_id)
    try {
      const tooMany = await limit(c)
      if (tooMany) return tooMany
      const isExcerpt = c.req.path.startsWith('/api/excerpt-files/')
      const token = c.req.path.split('/').at(-1) ?? ''
      const purchase = isExcerpt ? undefined : await findLinkedPurchase(services, token)
      const minutes = linkSeconds[isExcerpt ? 'excerpts' : 'downloads'] / 60
      const refusedDownload = { code, minutes, isExcerpt, ...(purchase && { purchase }) }
      return await site.answer(c, refusedDownloadPath, { status, retryAfter, shown: { refusedDownload } })
    } catch {
      return renderProblem(refusal, c, request_id)
    }
  })
}
