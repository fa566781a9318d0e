// The site's pages and files over HTTP: kept pages and assets from memory, or Vite's while developing.
import type { RequestListener, Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import { Hono } from 'hono'
import type { ServerBuild } from 'react-router'
import type { Product } from '#features/products/contract/products.ts'
import type { Config } from '../config.ts'
import { once } from '#platform/cached.ts'
import type { Log } from '#platform/log.ts'
import { readAssets } from './assets.ts'
import { respond, toResponse } from '#platform/http/content.ts'
import { createDevelopment } from './development.ts'
import { keepPages } from './pages.ts'
import { siteTexts } from './texts.ts'

export type Site = {
  /** Answers every GET and HEAD, so it comes after all other routes. */
  app: Hono
  /** Makes ready for the first visitor; one who comes before waits for it. */
  open: () => Promise<void>
  /** To be called when the catalogue has changed. */
  dropPages: () => void
  /** While developing, lets Vite answer before the shop does. */
  wrap: (listener: RequestListener, server: Server) => RequestListener
}

export type SiteOptions = {
  config: Pick<Config, 'isDevelopment' | 'siteUrl' | 'payments'>
  log: Log
  listProducts: () => Promise<Product[]>
}

const buildFolder = new URL('../../build/', import.meta.url)

/** Needs the build: see `ensureBuilt`. */
export function createSite(options: SiteOptions): Site {
  return options.config.isDevelopment ? createDevelopmentSite(options) : createBuiltSite(options)
}

function createBuiltSite(options: SiteOptions): Site {
  let opened: Awaited<ReturnType<typeof openBuiltSite>> | undefined
  const open = once(async () => (opened = await openBuiltSite(options)))

  const app = new Hono()
  app.get('*', async (c) => {
    const { pages, files } = opened ?? (await open())
    const { req } = c
    const { path } = req
    const found = pages.find(path) ?? files.get(path)
    const plain = plainPath(path)
    if (!found && pages.has(plain)) return c.redirect(plain + new URL(req.url).search, 308)
    const content = await (found ?? pages.notFound())
    return toResponse(respond(content, req.header('accept-encoding'), req.header('if-none-match')))
  })
  return {
    app,
    dropPages: () => opened?.pages.drop(),
    open: async () => void (await open()),
    wrap: (listener) => listener,
  }
}

/** The browser's router passes over capitals and slashes at the end, so a page under such an address must be the page. */
function plainPath(path: string): string {
  let end = path.length
  // Not by a pattern: that would look at a long row of slashes once from each of them.
  while (path[end - 1] === '/') end -= 1
  return path.slice(0, end).toLowerCase() || '/'
}

async function openBuiltSite({ config, log, listProducts }: SiteOptions) {
  const { siteUrl } = config
  const [build, { createRender, pagePaths }] = await Promise.all([
    import(new URL('server/index.js', buildFolder).href) as Promise<ServerBuild>,
    import('./render.ts'),
  ])
  const files = new Map([...readAssets(fileURLToPath(new URL('client', buildFolder))), ...siteTexts(siteUrl)])
  const pages = keepPages({
    paths: pagePaths(build),
    siteUrl,
    render: createRender(build, { mode: 'production', isTestMode: runsOnTestKeys(config) }),
    listProducts,
    log,
  })
  return { pages, files }
}

function runsOnTestKeys({ payments }: SiteOptions['config']): boolean {
  return payments?.isLive === false
}

function createDevelopmentSite({ config, log, listProducts }: SiteOptions): Site {
  const { render, wrap } = createDevelopment({ isTestMode: runsOnTestKeys(config) })
  const files = siteTexts(config.siteUrl)
  const app = new Hono()
  app.get('*', async ({ req }) => {
    const file = files.get(req.path)
    if (file) return toResponse(respond(file, undefined, undefined))
    const products = await listProducts().catch((error: unknown) => {
      log.warn({ err: error }, 'the products could not be read')
      return undefined
    })
    return render(req.raw, products)
  })
  return { app, dropPages() {}, async open() {}, wrap }
}
