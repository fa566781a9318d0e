// The route of the draft’s pages, GET /api/drafts/:token: the home page, or another one, for the frame beside the form.
import { Hono } from 'hono'
import { refuseLong } from './book-reader.ts'
import type { CommerceShop } from './shop.ts'
import { requireDraftLink } from './draft-links.ts'
import { readDraft } from './drafts.ts'
import type { BookDocument } from '#contract/book/book.ts'
import { z } from 'zod'
import { legalPageNames } from '#contract/book/legal.ts'

/** Renders a public page with another book than the published one. Throws as a bounded worker does. */
type RenderPage = (path: string, document: BookDocument) => Promise<string>

const otherPages = z.enum(['preview', ...legalPageNames])

/** Nothing in it runs, and nothing can be sent from it. Styles are the shop's own. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; font-src 'self'; frame-ancestors 'self'; sandbox allow-same-origin"

export function draftPagesApi(services: CommerceShop, renderPage: RenderPage) {
  return new Hono().get('/drafts/:token', async (c) => {
    await requireDraftLink(services, c.req.param('token'))
    const { document } = await readDraft(services.db)
    const page = otherPages.safeParse(c.req.query('page')).data ?? ''
    const html = await renderPage(`/${page}`, document).catch(refuseLong)
    return c.html(withoutScripts(html), 200, {
      'cache-control': 'no-store',
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
  })
}

/** The author does not see what is said to visitors without scripts. */
function withoutScripts(html: string): string {
  return html
    .replaceAll(/<(script|noscript)\b.*?<\/\1>/gs, '')
    .replaceAll(/<link rel="modulepreload"[^>]*>/g, '')
}
