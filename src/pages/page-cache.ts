// The rendered pages: each is rendered and compressed once and cached until the catalogue changes. Ours because Hono's
// `secureHeaders` and `serveStatic` were measured at half the throughput of this, and know neither ETag nor 304.
import type { ServerBuild } from 'react-router'
import { cached, memoizeLast, type Cached } from '#platform/cached.ts'
import { compress, createContent, type Content } from '#platform/http/content.ts'
import { pageHeaders } from './headers.ts'
import { createRender, pagePaths, type PageData, type Render } from './render.ts'
import { readFacts, type SiteOptions } from './site-options.ts'

export function cachePages(build: ServerBuild, options: SiteOptions) {
  const render = createRender(build, { mode: 'production', readFacts: (book) => readFacts(options, book) })
  const cache = (path: string) => cachePage(path, render, options)
  const home = cache('/')
  // React Router renders its 404 page for every path without a page.
  const notFound = cache('/404')
  const others = pagePaths(build).filter((path) => path !== '/')
  const pages = [
    { path: '/', fits: /^\/$/, page: home },
    // One page for every `:id`, because only the browser knows whose it is. A literal path wins over a pattern.
    ...others
      .toSorted((a, b) => Number(a.includes(':')) - Number(b.includes(':')))
      .map((path) => ({
        path,
        fits: new RegExp(`^${path.replaceAll(/:[^/]+/g, '[^/]+')}$`),
        page: cache(path),
      })),
  ]
  return {
    home,
    notFound,
    find: (path: string) => pages.find(({ fits }) => fits.test(path))?.page,
    patternOf: (asked: string) => pages.find(({ fits }) => fits.test(asked))?.path,
    /** Renders the home page at once, other pages when they are asked for. */
    drop: () => {
      for (const { page } of [...pages, { page: notFound }]) page.drop()
      Promise.resolve(home.get()).catch((error: unknown) =>
        options.log.error({ err: error }, 'the home page could not be rendered'),
      )
    },
  }
}

function cachePage(
  path: string,
  render: Render,
  options: SiteOptions,
): Pick<Cached<Content>, 'get' | 'drop'> {
  const { settings, log, listProducts, readBook, lastData } = options
  /** What the page is made of, so that it is rendered only when that has changed. */
  const known = (data: PageData) => ({
    ...data,
    facts: readFacts(options, data.book),
    siteUrl: settings.get().shop.site_url,
  })
  const make = memoizeLast(async ({ siteUrl, ...data }: ReturnType<typeof known>): Promise<Content> => {
    const response = await render(new Request(siteUrl + path), data)
    const { status } = response
    const html = lowerScripts(await response.text())
    if (status >= 500) throw new Error(`The page ${path} was rendered with status ${status}`)
    return createContent(await compress(Buffer.from(html), 'quick'), pageHeaders(html), status)
  })
  const { getSoon, drop } = cached(
    async (read) => {
      const [products, book] = await read(Promise.all([listProducts(), readBook()]))
      return make(known({ products, book }))
    },
    (error) => log.warn({ err: error, path }, 'a page could not be rendered; the last one is shown'),
  )
  return {
    get: () => {
      // The last page may be older than what this process knows by now.
      const page = getSoon(async () => make(known(await lastData())))
      // Without products, and without a page to show instead, the browser asks for them itself.
      return page instanceof Promise
        ? page.catch(async () => make(known({ products: undefined, book: await readBook() })))
        : page
    },
    drop,
  }
}

/** The scripts are fetched after the fonts and the cover, which the page is painted with. */
function lowerScripts(html: string): string {
  return html.replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchPriority="low"')
}
