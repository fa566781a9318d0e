// The products, for the admin area. What is sold, and for how much, asks for a recent sign-in; a price of 0, which gives a
// product to everybody, for a recent proof, and so does what such a product consists of.
import type { Context } from 'hono'
import type { WithAuth } from '../accounts/auth.ts'
import type { WithUploadReader } from '../ebooks/check.ts'
import type { WithPictureReader } from '../pictures/picture-reader.ts'
import type { WithCatalogue } from './catalogue.ts'
import { createRoute, z } from '@hono/zod-openapi'
import { id } from '#platform/contract/fields.ts'
import {
  archivedRequest,
  bundleParts,
  finishedUpload,
  newEdition,
  newProduct,
  productChange,
  adminProducts,
  productOrder,
  adminProduct,
} from './contract/admin-products.ts'
import type { Services } from '../../services.ts'
import { addEdition, addProduct, copyProduct } from './add-products.ts'
import { getAdminProduct, listAdminProducts } from './admin-products.ts'
import { changeProduct, orderProducts, setArchived, setParts } from './change-products.ts'
import { stockChange } from '../stock/contract/stock.ts'
import { setStock } from '../stock/stock.ts'
import { removeCover, setCover } from './covers.ts'
import { actorOf } from '../audit/actor.ts'
import { clientNetwork } from '#platform/http/client-ip.ts'
import { bearer, body, createApi, json, refusal, type ApiEnv } from '#platform/http/route.ts'

export type AdminProductsApi = ReturnType<typeof adminProductsApi>

const one = z.object({ id })
const all = { 200: json(adminProducts, 'All products, in the order of the page'), ...refusal }
const product = json(adminProduct, 'The product as it is now')

/** `onChanged` is called after the facts of a product were changed. */
export function adminProductsApi(
  services: Services & WithAuth & WithCatalogue & WithUploadReader & WithPictureReader,
  onChanged: (services: Services, product_id: string) => Promise<void>,
) {
  const { db, auth } = services
  const { requireRecentSignIn } = auth
  const list = createRoute({ method: 'get', path: '/products', security: bearer, responses: all })
  const read = createRoute({
    method: 'get',
    path: '/products/{id}',
    security: bearer,
    request: { params: one },
    responses: { 200: product, ...refusal },
  })
  const add = createRoute({
    method: 'post',
    path: '/products',
    security: bearer,
    middleware: requireRecentSignIn,
    request: body(newProduct),
    responses: { 201: product, ...refusal },
  })
  const order = createRoute({
    method: 'put',
    path: '/products/order',
    security: bearer,
    request: body(productOrder),
    responses: all,
  })
  const change = createRoute({
    method: 'patch',
    path: '/products/{id}',
    security: bearer,
    middleware: requireRecentSignIn,
    request: { params: one, ...body(productChange) },
    responses: { 200: product, ...refusal },
  })
  const edition = createRoute({
    method: 'post',
    path: '/products/{id}/editions',
    security: bearer,
    middleware: requireRecentSignIn,
    request: { params: one, ...body(newEdition) },
    responses: { 201: product, ...refusal },
  })
  const cover = createRoute({
    method: 'put',
    path: '/products/{id}/cover',
    security: bearer,
    request: { params: one, ...body(finishedUpload) },
    responses: { 200: product, ...refusal },
  })
  const noCover = createRoute({
    method: 'delete',
    path: '/products/{id}/cover',
    security: bearer,
    request: { params: one },
    responses: { 200: product, ...refusal },
  })
  const copy = createRoute({
    method: 'post',
    path: '/products/{id}/copies',
    security: bearer,
    middleware: requireRecentSignIn,
    request: { params: one },
    responses: { 201: product, ...refusal },
  })
  const archive = createRoute({
    method: 'put',
    path: '/products/{id}/archived',
    security: bearer,
    middleware: requireRecentSignIn,
    request: { params: one, ...body(archivedRequest) },
    responses: { 200: product, ...refusal },
  })
  const count = createRoute({
    method: 'put',
    path: '/products/{id}/stock',
    security: bearer,
    request: { params: one, ...body(stockChange) },
    responses: { 200: product, ...refusal },
  })
  const parts = createRoute({
    method: 'put',
    path: '/products/{id}/parts',
    security: bearer,
    middleware: requireRecentSignIn,
    request: { params: one, ...body(bundleParts) },
    responses: { 200: product, ...refusal },
  })

  async function requireProof(c: Context<ApiEnv>) {
    const network = clientNetwork(c, services.config.trustedProxies)
    await auth.requireRecentProof(c.var.user, { current_password: undefined, network })
  }

  return createApi()
    .openapi(list, async (c) => c.json(await listAdminProducts(db), 200))
    .openapi(read, async (c) => c.json(await getAdminProduct(db, c.req.valid('param').id), 200))
    .openapi(add, async (c) => {
      const wanted = c.req.valid('json')
      if (wanted.price === 0) await requireProof(c)
      const made = await addProduct(services, actorOf(c, services), wanted)
      return c.json(await getAdminProduct(db, made), 201)
    })
    .openapi(order, async (c) => {
      await orderProducts(services, actorOf(c, services), c.req.valid('json').ids)
      return c.json(await listAdminProducts(db), 200)
    })
    .openapi(change, async (c) => {
      const { id: product_id } = c.req.valid('param')
      const wanted = c.req.valid('json')
      const { price, is_hidden } = await getAdminProduct(db, product_id)
      const isFree = (wanted.price ?? price) === 0
      if (isFree && (price !== 0 || (is_hidden && wanted.is_for_sale))) await requireProof(c)
      await changeProduct(services, actorOf(c, services), product_id, wanted)
      await onChanged(services, product_id)
      return c.json(await getAdminProduct(db, product_id), 200)
    })
    .openapi(edition, async (c) => {
      const { id: product_id } = c.req.valid('param')
      await addEdition(services, actorOf(c, services), product_id, c.req.valid('json'))
      return c.json(await getAdminProduct(db, product_id), 201)
    })
    .openapi(cover, async (c) => {
      const { id: product_id } = c.req.valid('param')
      await setCover(services, actorOf(c, services), product_id, c.req.valid('json').upload_id)
      return c.json(await getAdminProduct(db, product_id), 200)
    })
    .openapi(noCover, async (c) => {
      const { id: product_id } = c.req.valid('param')
      await removeCover(services, actorOf(c, services), product_id)
      return c.json(await getAdminProduct(db, product_id), 200)
    })
    .openapi(copy, async (c) => {
      const made = await copyProduct(services, actorOf(c, services), c.req.valid('param').id)
      return c.json(await getAdminProduct(db, made), 201)
    })
    .openapi(archive, async (c) => {
      const { id: product_id } = c.req.valid('param')
      await setArchived(services, actorOf(c, services), product_id, c.req.valid('json').is_archived)
      return c.json(await getAdminProduct(db, product_id), 200)
    })
    .openapi(count, async (c) => {
      const { id: product_id } = c.req.valid('param')
      await setStock(services, actorOf(c, services), product_id, c.req.valid('json'))
      await services.catalogue.refresh()
      return c.json(await getAdminProduct(db, product_id), 200)
    })
    .openapi(parts, async (c) => {
      const { id: product_id } = c.req.valid('param')
      if ((await getAdminProduct(db, product_id)).price === 0) await requireProof(c)
      await setParts(services, actorOf(c, services), product_id, c.req.valid('json').ids)
      return c.json(await getAdminProduct(db, product_id), 200)
    })
}
