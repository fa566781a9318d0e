// GET /api/products: what is for sale, from memory.
import type { WithCatalogue } from './catalogue.ts'
import type { TypedResponse } from 'hono'
import { productList, type Product } from './contract/products.ts'
import { apiHeaders } from '#platform/http/response.ts'
import { createApi, ok, route } from '#platform/http/route.ts'

const headers = { ...apiHeaders, 'content-type': 'application/json' }

/** Headers are a plain object: @hono/node-server sends it without building a `Headers`. */
export function productsApi({ catalogue }: WithCatalogue) {
  return createApi().openapi(
    route('get', '/products', { returns: ok(productList, 'Products, lowest price first'), isPublic: true }),
    async () => {
      const { json } = await catalogue.getSoon()
      return new Response(json, { headers }) as Response & TypedResponse<Product[], 200, 'json'>
    },
  )
}
