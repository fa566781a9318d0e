// Renders the site's pages with the bundled application, without HTTP in between.
import {
  createRequestHandler,
  RouterContextProvider,
  type RouterContext,
  type ServerBuild,
} from 'react-router'
import type { Product } from '#contract/products.ts'

/** What the application's entry module offers: the key under which its loaders find the products. */
type Entry = { shownProducts: RouterContext<Product[] | undefined> }

/** Products are left undefined when they cannot be had: the page then asks for them itself. */
export type Render = (request: Request, products: Product[] | undefined) => Promise<Response>

export function createRender(build: ServerBuild, mode: 'development' | 'production'): Render {
  const handle = createRequestHandler(build, mode)
  const { shownProducts } = build.entry.module as unknown as Entry
  return (request, products) => {
    const context = new RouterContextProvider()
    context.set(shownProducts, products)
    return handle(request, context)
  }
}

/** The paths of all pages: whatever else is asked for gets the one page for unknown paths. */
export function pagePaths(build: ServerBuild): string[] {
  return Object.values(build.routes)
    .filter((route) => route !== undefined)
    .filter(({ index, path }) => index || (path && !/[:*]/.test(path)))
    .map(({ path }) => `/${path ?? ''}`)
}
