// Renders a page to the end before it answers: pages are kept, so nobody waits for a stream.
import { renderToReadableStream } from 'react-dom/server'
import { createContext, ServerRouter, type EntryContext } from 'react-router'
import type { Product } from '#contract/products.ts'

export type Backend = {
  /** Undefined when the products cannot be had: the page then asks for them itself. */
  listProducts(): Promise<Product[] | undefined>
}

/** What loaders may ask of the server in whose process they run; the server finds this key in the built module. */
export const backend = createContext<Backend>()

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
