// Renders a page to the end before it responds: pages are cached, so a stream would gain nothing.
import { renderToReadableStream } from 'react-dom/server'
import { createContext, ServerRouter, type EntryContext } from 'react-router'
import type { ShownBook, ShownChapter, ShownLegalPage } from '#contract/book/shown-book.ts'
import type { ShopFacts } from '#pages/render.ts'
import type { Product } from '#contract/catalog/products.ts'

export { withTexts } from '#words/wording.ts'

/** The products for loaders, set by the server in whose process they run. Undefined: the page asks for them itself. */
export const shownProducts = createContext<Product[] | undefined>(undefined)

export const shownBook = createContext<ShownBook>()

export const shownChapters = createContext<ShownChapter[]>()

export const shownLegalPages = createContext<ShownLegalPage[]>()

export const shopFacts = createContext<ShopFacts>()

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
) {
  const html = await renderToReadableStream(<ServerRouter context={context} url={request.url} />, {
    progressiveChunkSize: Infinity,
  })
  await html.allReady
  headers.set('content-type', 'text/html; charset=utf-8')
  return new Response(html, { status, headers })
}
