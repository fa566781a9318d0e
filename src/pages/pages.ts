// Each page rendered once and kept as the bytes that are sent, until the catalogue changes.
import type { Product } from '#features/products/contract/products.ts'
import { keep } from '#platform/cached.ts'
import type { Log } from '#platform/log.ts'
import { compress } from '#platform/http/compress.ts'
import { createContent, type Content } from '#platform/http/content.ts'
import { pageHeaders } from './headers.ts'
import type { PagePath, Render } from './render.ts'
import { calmScripts, putOffScripts } from './scripts.ts'

export type Pages = {
  has: (path: string) => boolean
  /** Undefined for a path that has no page. */
  find(path: string): Promise<Content> | undefined
  /** The page for unknown paths: one for all of them, however many are tried. */
  notFound(): Promise<Content>
  /** The home page is rendered anew at once, all others when they are asked for. */
  drop: () => void
}

type Options = {
  /** `:id` in a path stands for anything: one page for all of them, since only the browser knows whose it is. */
  paths: PagePath[]
  siteUrl: string
  render: Render
  listProducts: () => Promise<Product[]>
  log: Log
}

/** Any path without a page will do: the site answers it with its 404 page. */
const unknown: PagePath = { path: '/404', needsScripts: false }

export function keepPages({ paths, siteUrl, render, listProducts, log }: Options): Pages {
  async function make({ path, needsScripts }: PagePath, products: Product[] | undefined): Promise<Content> {
    const response = await render(new Request(siteUrl + path), products)
    const { status } = response
    const arrange = needsScripts ? calmScripts : putOffScripts
    const html = arrange(await response.text())
    if (status >= 500) throw new Error(`The page ${path} was rendered with status ${status}`)
    return createContent(await compress(Buffer.from(html), 'quick'), pageHeaders(html), status)
  }

  const kept = new Map(
    [...paths, unknown].map((page) => {
      const { path } = page
      const complete = keep(
        async () => make(page, await listProducts()),
        (error) => log.warn({ err: error, path }, 'a page could not be rendered anew; the last one is shown'),
      )
      const bare = keep(
        () => make(page, undefined),
        () => {},
      )
      return [path, { ...complete, get: () => complete.get().catch(() => bare.get()) }]
    }),
  )
  const known = new Set(paths.map(({ path }) => path))
  const patterns = paths
    .filter(({ path }) => path.includes(':'))
    .map(({ path }) => ({ path, fits: new RegExp(`^${path.replaceAll(/:[^/]+/g, '[^/]+')}$`) }))
  const pageOf = (path: string) =>
    known.has(path) ? path : patterns.find(({ fits }) => fits.test(path))?.path

  const get = (path: string) => kept.get(path)!.get()
  const warm = (path: string) => {
    get(path).catch((error: unknown) => log.error({ err: error, path }, 'a page could not be rendered'))
  }
  warm('/')

  return {
    has: (path) => pageOf(path) !== undefined,
    find(path) {
      const page = pageOf(path)
      return page === undefined ? undefined : get(page)
    },
    notFound: () => get(unknown.path),
    drop() {
      for (const page of kept.values()) page.drop()
      warm('/')
    },
  }
}
