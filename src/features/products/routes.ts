// GET /api/products: what is for sale, from memory.
import type { WithCatalogue } from './catalogue.ts'
import { createRoute } from '@hono/zod-openapi'
import type { TypedResponse } from 'hono'
import { productList, type Product } from './contract/products.ts'
import { apiHeaders } from '#platform/http/response.ts'
import { createApi, json, refusal } from '#platform/http/route.ts'

const list = createRoute({
  method: 'get',
  path: '/products',
  responses: { 200: json(productList, 'Products, lowest price first'), ...refusal },
})

const headers = { ...apiHeaders, 'content-type': 'application/json' }

/** Headers are a plain object: @hono/node-server sends it without building a `Headers`. */
export function productsApi({ catalogue }: WithCatalogue) {
  return createApi().openapi(list, async () => {
    const { json } = await catalogue.getSoon()
    return new Response(json, { headers }) as Response & TypedResponse<Product[], 200, 'json'>
  })
}
