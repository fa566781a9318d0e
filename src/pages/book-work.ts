// Pages of a draft. They are rendered in a thread: a long text takes seconds, and other requests must not wait for it.
import { pathToFileURL } from 'node:url'
import type { BookDocument } from '#features/book/contract/book.ts'
import type { RenderPage } from '#features/book/draft-page-routes.ts'
import type { Product } from '#features/products/contract/products.ts'
import { openBoundedWorker } from '#platform/bounded-worker.ts'
import { ownFile } from '#platform/own-file.ts'
import type { ShopFacts } from './render.ts'
import { readFacts, type SiteOptions } from './site-options.ts'

export type DraftPageTask = { url: string; document: BookDocument; products: Product[]; facts: ShopFacts }

const limits = { threads: 1, maxQueued: 8, taskMs: 20_000, memoryMb: 512 }

/** The thread starts with the first page. It keeps no process alive. */
export function createRenderDraft(options: SiteOptions): RenderPage {
  const thread = pathToFileURL(ownFile('#pages/draft-page-thread.ts'))
  const worker = openBoundedWorker<DraftPageTask, string>(thread, limits)
  return async (path, document) =>
    worker.run({
      url: options.settings.get().shop.site_url + path,
      document,
      products: await options.listProducts(),
      facts: readFacts(options, await options.readBook()),
    })
}
