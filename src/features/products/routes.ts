// GET /api/products: what is for sale, from memory.
import type { WithCatalogue } from './catalogue.ts'
import { createRoute } from '@hono/zod-openapi'
import { productList } from './contract/products.ts'
import { jsonResponse } from '#platform/http/response.ts'
import { createApi, json, refusal } from '#platform/http/route.ts'

const list = createRoute({
  method: 'get',
  path: '/products',
  responses: { 200: json(productList, 'Products, lowest price first'), ...refusal },
})

export function productsApi({ catalogue }: WithCatalogue) {
  return createApi().openapi(list, async () => {
    const { json } = await catalogue.get()
    const { body, headers } = jsonResponse(json)
    return new Response(body, { headers }) as never
  })
}
