// The public pages and files, served from memory: each page is rendered and compressed once and cached until the
// catalogue changes; the files of the build are read at the start. Ours because Hono's `secureHeaders` and `serveStatic`
// were measured at half the throughput of this, and know neither ETag nor 304.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { RequestListener, Server } from 'node:http'
import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Hono } from 'hono'
import type { ServerBuild } from 'react-router'
import type { Product } from '#features/products/contract/products.ts'
import { cached } from '#platform/cached.ts'
import { compress, createContent, respond, type Content } from '#platform/http/content.ts'
import type { Log } from '#platform/log.ts'
import { ownFile } from '#platform/own-file.ts'
import type { Config } from '../config.ts'
import { pageHeaders } from './headers.ts'
import { createRender, pagePaths, type PagePath } from './render.ts'
import { calmScripts, putOffScripts } from './scripts.ts'
import { fileHeaders, fileTypes, siteTexts } from './texts.ts'

export type Site = {
  /** Handles every GET and HEAD, so it comes after all other routes. */
  app: Hono
  /** To be called when the catalogue has changed. */
  dropPages: () => void
  /** While developing, lets Vite handle a request before the shop does. */
  wrap: (listener: RequestListener, server: Server) => RequestListener
}

export type SiteOptions = {
  config: Pick<Config, 'siteUrl' | 'payments'>
  log: Log
  listProducts: () => Promise<Product[]>
}

/** Any path without a page: React Router renders its 404 page for it. */
const unknownPage: PagePath = { path: '/404', needsScripts: false }

/** Needs the build (`ensureBuilt`). The home page is rendered before it returns. */
export async function openSite(options: SiteOptions): Promise<Site> {
  const entry = ownFile('#build/server/pages.js')
  const build: ServerBuild = await import(pathToFileURL(entry).href)
  const files = new Map([...readFiles(join(entry, '../../client')), ...siteTexts(options.config.siteUrl)])
  const { find, notFound, drop } = cachePages(build, options)
  await find('/')

  const app = new Hono().get('*', async (c) => {
    const { req } = c
    const found = find(req.path) ?? files.get(req.path)
    const plain = plainPath(req.path)
    if (!found && find(plain)) return c.redirect(plain + new URL(req.url).search, 308)
    return respond(await (found ?? notFound()), req)
  })
  return { app, dropPages: drop, wrap: (listener) => listener }
}

/** Payments on test keys: every page then says that no real money is taken. */
export function runsOnTestKeys({ payments }: SiteOptions['config']): boolean {
  return payments?.isLive === false
}

/** The browser's router ignores capitals and slashes at the end, so such an address must lead to the page. */
function plainPath(path: string): string {
  let end = path.length
  // A pattern would look at a long row of slashes once from each of them.
  while (path[end - 1] === '/') end -= 1
  return path.slice(0, end).toLowerCase() || '/'
}

function cachePages(build: ServerBuild, { config, log, listProducts }: SiteOptions) {
  const render = createRender(build, { mode: 'production', isTestMode: runsOnTestKeys(config) })
  async function make({ path, needsScripts }: PagePath, products: Product[] | undefined): Promise<Content> {
    const response = await render(new Request(config.siteUrl + path), products)
    const { status } = response
    const html = (needsScripts ? calmScripts : putOffScripts)(await response.text())
    if (status >= 500) throw new Error(`The page ${path} was rendered with status ${status}`)
    return createContent(await compress(Buffer.from(html), 'quick'), pageHeaders(html), status)
  }
  function cache(page: PagePath) {
    const { path } = page
    const { get, drop } = cached(
      async () => make(page, await listProducts()),
      (error) => log.warn({ err: error, path }, 'a page could not be rendered; the last one is shown'),
    )
    // Without products, and without a page to show instead, the browser asks for them itself.
    return { get: () => get().catch(() => make(page, undefined)), drop }
  }

  const paths = pagePaths(build)
  const pages = new Map(paths.map((page) => [page.path, cache(page)]))
  const notFound = cache(unknownPage)
  // One page for every `:id`, because only the browser knows whose it is.
  const patterns = paths
    .filter(({ path }) => path.includes(':'))
    .map(({ path }) => ({ path, fits: new RegExp(`^${path.replaceAll(/:[^/]+/g, '[^/]+')}$`) }))
  const find = (path: string) =>
    pages.get(path) ?? pages.get(patterns.find(({ fits }) => fits.test(path))?.path ?? '')
  return {
    find: (path: string) => find(path)?.get(),
    notFound: notFound.get,
    drop: () => {
      for (const page of [...pages.values(), notFound]) page.drop()
      pages
        .get('/')
        ?.get()
        .catch((error: unknown) => log.error({ err: error }, 'the home page could not be rendered'))
    },
  }
}

/** By path. The build puts compressed copies beside the files that are smaller for it. */
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
