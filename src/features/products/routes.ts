// GET /api/products: what is for sale, from memory.
import type { WithCatalogue } from './catalogue.ts'
import { createRoute } from '@hono/zod-openapi'
import { productList } from './contract/products.ts'
import { createApi, json, refusal } from '#platform/http/route.ts'

const list = createRoute({
  method: 'get',
  path: '/products',
  responses: { 200: json(productList, 'Products, lowest price first'), ...refusal },
})

export function productsApi({ catalogue }: WithCatalogue) {
  return createApi().openapi(list, async (c) => {
    const { json } = await catalogue.get()
    return c.body(json, 200, { 'content-type': 'application/json' }) as never
  })
}
