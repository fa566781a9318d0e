// Serves the pages in development, rendered by Vite from the sources.
import type { Server } from 'node:http'
import type { Context } from 'hono'
import type { ServerBuild } from 'react-router'
import type { ViteDevServer } from 'vite'
import { respond } from '#platform/http/content.ts'
import { missingSections } from '#domains/book/missing-sections.ts'
import { publishedBook, type PublishedBook } from '#domains/book/published-book.ts'
import type { Product } from '#contract/catalog/products.ts'
import { createRender, type Fronts } from './render.ts'
import type { PageAnswer } from './page-answer.ts'
import type { Site } from './site.ts'
import { readFacts, type SiteOptions } from './page-cache.ts'
import { siteTexts, textPaths } from './texts.ts'

export function createDevelopmentSite(options: SiteOptions): Site {
  const { settings, log, listProducts, readBook } = options
  const vite = Promise.withResolvers<ViteDevServer>()
  const siteUrl = () => settings.get().shop.site_url
  async function renderNow(
    request: Request,
    book: PublishedBook,
    input?: Product[],
    { form, shown }: PageAnswer = {},
  ): Promise<Response> {
    const load = async (name: string) => (await vite.promise).ssrLoadModule(name)
    const app = (await load('virtual:react-router/server-build')) as ServerBuild
    const site = (await load('/src/web/site/render.tsx')) as Fronts['site']
    const render = createRender({ app, site }, 'development')
    const listed = listProducts().catch((error: unknown) => {
      log.warn({ err: error }, 'the products could not be read')
      return undefined
    })
    const products = input ?? (await listed)
    return render(request, {
      products,
      document: book.document,
      facts: readFacts(options, book, products),
      answer: form,
      shown,
    })
  }
  async function handle({ req }: Context): Promise<Response> {
    const book = await readBook()
    const file = siteTexts(siteUrl(), book).get(req.path)
    if (file) return respond(file, req)
    return renderNow(req.raw, book)
  }
  return {
    handle,
    patternOf: (path) => (textPaths.includes(path) ? 'file' : undefined),
    renderPage: async (path, document, products) => {
      const book = await publishedBook(document, products !== undefined)
      const shown = { missingSections: missingSections(document) }
      return (await renderNow(new Request(siteUrl() + path), book, products, { shown })).text()
    },
    answer: async (_, path, answer) => {
      const response = await renderNow(new Request(siteUrl() + path), await readBook(), undefined, answer)
      return new Response(response.body, {
        status: answer.status ?? response.status,
        headers: response.headers,
      })
    },
    dropPages() {},
    wrap(listener, server) {
      vite.resolve(viteOf(server))
      return (request, response) =>
        void vite.promise.then(({ middlewares }) =>
          middlewares(request, response, () => listener(request, response)),
        )
    },
  }
}

const started = new WeakMap<Server, Promise<ViteDevServer>>()

/** The server outlives a shop that is restored, and Vite with it: two of them would answer one browser. */
function viteOf(server: Server): Promise<ViteDevServer> {
  const vite = started.get(server) ?? startVite(server)
  if (!started.has(server)) server.once('close', () => void vite.then((running) => running.close()))
  started.set(server, vite)
  return vite
}

async function startVite(server: Server): Promise<ViteDevServer> {
  const { createServer } = await import('vite')
  const vite = await createServer({ server: { middlewareMode: true, hmr: { server } }, appType: 'custom' })
  // A compiler that React Router runs inside Vite would end the process before the shop has closed.
  const compilerListener = process.listeners('SIGTERM').find(({ name }) => name === 'parentSigtermCallback')
  if (compilerListener) process.off('SIGTERM', compilerListener)
  return vite
}
