// Serves the pages of the site and of the app, and their files.
import { readFile } from 'node:fs/promises'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { RequestListener, Server } from 'node:http'
import { extname, join } from 'node:path'
import type { Context, HonoRequest } from 'hono'
import { isQueueFull } from '#platform/bounded-worker.ts'
import { cached, memoizeLast } from '#platform/cached.ts'
import { acceptedEncoding, createContent, respond, type Content } from '#platform/http/content.ts'
import type { PageAnswer } from './page-answer.ts'
import type { BookDocument } from '#contract/book/book.ts'
import type { Product } from '#contract/catalog/products.ts'
import { missingSections } from '#domains/book/missing-sections.ts'
import { withoutLongTexts } from '#domains/book/show-book.ts'
import { loadWording } from '#words/wording.ts'
import { ownFile } from '#platform/own-file.ts'
import { cachePages, readFacts, type SiteData, type SiteOptions } from './page-cache.ts'
import { keepAssets } from './former-assets.ts'
import { openPageQueue, PageQueueError } from './page-queue.ts'
import { refusePlainly } from './plain-page.ts'
import { loadFronts } from './render.ts'
import { fileHeaders, fileTypes, siteTexts, textPaths } from './texts.ts'

export type Site = {
  handle: (c: Context) => Response | Promise<Response>
  patternOf: (path: string) => string | undefined
  /** Renders a draft, with the shop's products where no others are given. */
  renderPage: (path: string, document: BookDocument, products?: Product[]) => Promise<string>
  /** A page that is made for this request alone; `path` is the page's. */
  answer: (c: Context, path: string, answer: PageAnswer) => Promise<Response>
  dropPages: () => void
  wrap: (listener: RequestListener, server: Server) => RequestListener
}

const assetsPath = '/assets/'

const queueLimits = { maxRunning: 4, maxWaiting: 200, maxWaitMs: 20_000 }
/** The longest wait in a full queue, so that a visitor who is refused comes back to a shorter one. */
const busySeconds = 20

export async function openSite(options: SiteOptions): Promise<Site> {
  const client = join(ownFile('#build/server/pages.js'), '../../client')
  const files = readFiles(client)
  const former = options.dataDir
    ? await keepAssets(join(client, 'assets'), options.dataDir)
    : new Map<string, string>()
  const { find, patternOf, notFound, home, drop } = cachePages(await loadFronts(), options)
  const texts = cached(
    async (read) => siteTexts(options.settings.get().shop.site_url, await read(options.readBook())),
    (error) => options.log.warn({ err: error }, 'the book could not be read for the web manifest'),
  )
  const queue = openPageQueue(queueLimits)
  const readBriefly = memoizeLast(options.bookReader.readBriefly)
  await home.get()

  // The function is not async: @hono/node-server spends less on a response that is no promise.
  function handle(c: Context): Response | Promise<Response> {
    const { req } = c
    if (req.path === '/' && req.url.includes('token_hash=')) return toConfirmation(c)
    const result = find(req.path)?.get() ?? files.get(req.path)
    if (textPaths.includes(req.path)) return handleText(c)
    if (!result && req.path.startsWith(assetsPath)) return handleFormer(c)
    const plain = result ? undefined : plainPath(req.path)
    if (plain && find(plain)) return c.redirect(plain + new URL(req.url).search, 308)
    const content = result ?? notFound.get()
    return content instanceof Promise
      ? content.then((created) => respond(created, req))
      : respond(content, req)
  }
  async function handleFormer(c: Context): Promise<Response> {
    const name = c.req.path.slice(assetsPath.length)
    const path = former.get(name)
    // The page that says so is not sent: a script or a picture is waited for.
    if (!path) return c.text('Not found', 404, { 'cache-control': 'no-store' })
    const read = (ending: string) => former.has(name + ending) && readFile(path + ending)
    const [identity, br, gzip] = await Promise.all([readFile(path), read('.br'), read('.gz')])
    const encoded = { identity, br: br || undefined, gzip: gzip || undefined }
    return respond(createContent(encoded, fileHeaders(`assets/${name}`)), c.req)
  }
  async function handleText({ req }: Context): Promise<Response> {
    const content = (await texts.getOrStale()).get(req.path) ?? (await notFound.get())
    return respond(content, req)
  }
  return {
    handle,
    patternOf: (path) => (files.has(path) || textPaths.includes(path) ? 'file' : patternOf(path)),
    renderPage: async (path, document, input) => {
      const products = input ?? (await options.listProducts())
      const { is_own, excerpt } = await options.readBook()
      return options.bookReader.renderHtml({
        url: options.settings.get().shop.site_url + path,
        document,
        products,
        // Products are given where an own book is about to replace the sample.
        facts: readFacts(
          options,
          {
            is_own: input !== undefined || is_own,
            excerpt,
            document,
            wording: await loadWording(document),
          },
          products,
        ),
        shown: { missingSections: missingSections(document) },
      })
    },
    async answer(c, path, { status, retryAfter, form, shown }) {
      const { req } = c
      const make = async () => {
        const { products, book } = await readData(options)
        const brief = await readBriefly(book.document)
        return options.bookReader.renderContent({
          url: options.settings.get().shop.site_url + path,
          brief: path === '/' ? brief : withoutLongTexts(brief),
          products,
          facts: readFacts(options, book, products),
          answer: form,
          shown,
          encoding: acceptedEncoding(req),
        })
      }
      try {
        const content = await queue.run({ isForm: req.method === 'POST', signal: req.raw.signal }, make)
        const response = respondUncached({ ...content, ...(status && { status }) }, req)
        if (retryAfter) response.headers.set('retry-after', String(retryAfter))
        return response
      } catch (error) {
        if (!(error instanceof PageQueueError || isQueueFull(error))) throw error
        const { book } = await readData(options)
        return refusePlainly(c, book.wording, { code: 'server.unavailable', retryAfter: busySeconds })
      }
    },
    dropPages() {
      texts.drop()
      drop()
    },
    wrap: (listener) => listener,
  }
}

/** Returns what was read last while the database is away. */
async function readData({ listProducts, readBook, lastData }: SiteOptions): Promise<SiteData> {
  try {
    const [products, book] = await Promise.all([listProducts(), readBook()])
    return { products, book }
  } catch {
    return lastData()
  }
}

/** Links of mails lead to the home page, and are opened by the app. */
function toConfirmation(c: Context): Response {
  c.header('cache-control', 'no-store')
  c.header('referrer-policy', 'no-referrer')
  return c.redirect(`/confirm${new URL(c.req.url).search}`)
}

function respondUncached(content: Content, request: HonoRequest): Response {
  const response = respond(content, request)
  response.headers.set('cache-control', 'no-store')
  response.headers.delete('etag')
  return response
}

/** The browser's router ignores capitals and slashes at the end, so such an address must lead to the page. */
function plainPath(path: string): string {
  let end = path.length
  // A pattern would look at a long row of slashes once from each of them.
  while (path[end - 1] === '/') end -= 1
  return path.slice(0, end).toLowerCase() || '/'
}

function readFiles(folder: string): Map<string, Content> {
  const readIfThere = (file: string) => (existsSync(file) ? readFileSync(file) : undefined)
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return new Map(
    names
      .filter((name) => extname(name) in fileTypes)
      .map((name) => {
        const file = join(folder, name)
        const encoded = {
          identity: readFileSync(file),
          br: readIfThere(`${file}.br`),
          gzip: readIfThere(`${file}.gz`),
        }
        return [`/${name}`, createContent(encoded, fileHeaders(name))]
      }),
  )
}
