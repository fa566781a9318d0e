// The public route that lists the products for sale.
import type { TypedResponse } from 'hono'
import { apiHeaders } from '#platform/http/errors.ts'
import { createApi, ok, route } from '#platform/http/route.ts'
import { productList, type Product } from '#contract/catalog/products.ts'
import type { CatalogShop } from './shop.ts'

/** A plain object: @hono/node-server sends it without building a `Headers`. */
const headers = { ...apiHeaders, 'content-type': 'application/json' }

export function productsApi({ catalogue }: CatalogShop) {
  const returns = ok(productList, 'Products, lowest price first')
  return createApi().openapi(route('get', '/products', { returns, isPublic: true }), async () => {
    const { json } = await catalogue.getOrStale()
    return new Response(json, { headers }) as Response & TypedResponse<Product[], 200, 'json'>
  })
}
