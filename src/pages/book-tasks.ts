import { linksIn, type BookLink } from '#features/book/book-links.ts'
import type { BookDocument } from '#features/book/contract/book.ts'
import { showLegalPages } from '#features/book/legal-pages.ts'
import { showChapters } from '#features/book/show-book.ts'
import { once } from '#platform/cached.ts'
import { compress, createContent, type Content } from '#platform/http/content.ts'
import { pageHeaders } from './headers.ts'
import type { PageData } from './render.ts'

export type PageTask = PageData & { url: string }

export type BookTask =
  | ({ wanted: 'content' | 'html' } & PageTask)
  | { wanted: 'chapters' | 'legal pages' | 'links'; document: BookDocument }

export type BookOutcome =
  | { content: Content }
  | { html: string }
  | { json: Uint8Array<ArrayBuffer> }
  | { links: BookLink[] }

export async function performTask(task: BookTask): Promise<BookOutcome> {
  switch (task.wanted) {
    case 'content':
      return { content: await makeContent(task) }
    case 'html':
      return { html: await (await render(task)).text() }
    case 'chapters':
      return { json: Buffer.from(JSON.stringify(showChapters(task.document))) }
    case 'legal pages':
      return { json: Buffer.from(JSON.stringify(showLegalPages(task.document))) }
    default:
      return { links: linksIn(task.document) }
  }
}

const loadRender = once(async () => {
  const { createRender, loadBuild } = await import('./render.ts')
  return createRender(await loadBuild(), 'production')
})

async function render({ url, products, document, facts }: PageTask): Promise<Response> {
  const renderPage = await loadRender()
  return renderPage(new Request(url), { products, document, facts })
}

async function makeContent(task: PageTask): Promise<Content> {
  const response = await render(task)
  const { status } = response
  const html = lowerScripts(await response.text())
  if (status >= 500) throw new Error(`The page ${task.url} was rendered with status ${status}`)
  return createContent(await compress(Buffer.from(html), 'quick'), pageHeaders(html), status)
}

/** The scripts are fetched after the fonts and the cover, which the page is painted with. */
function lowerScripts(html: string): string {
  return html.replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchPriority="low"')
}
