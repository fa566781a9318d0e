// GET /api/products: what is for sale, from memory.
import { createRoute } from '@hono/zod-openapi'
import { productList } from '#contract/products.ts'
import type { Services } from '../services.ts'
import type { Answer } from '../site/content.ts'
import { createApi, json, refusal } from './route.ts'

const list = createRoute({
  method: 'get',
  path: '/products',
  responses: { 200: json(productList, 'Products, lowest price first'), ...refusal },
})

/** Said here and not by middleware, which this route stands before. */
const headers = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
}

/** The answer to GET /api/products, when that needs no waiting for. */
export function peekProducts({ catalogue }: Pick<Services, 'catalogue'>): Answer | undefined {
  const kept = catalogue.peek()
  if (!kept) return undefined
  const length = String(Buffer.byteLength(kept.json))
  return { status: 200, headers: { ...headers, 'content-length': length }, body: kept.json }
}

export function productsApi({ catalogue }: Pick<Services, 'catalogue'>) {
  return createApi().openapi(list, async () => {
    const { json } = await catalogue.get()
    return new Response(json, { headers }) as never
  })
}
