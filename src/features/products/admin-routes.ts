// The products, for the admin area. What is sold, and for how much, asks for a recent sign-in; a price of 0, which gives a
// product to everybody, for a recent proof, and so does what such a product consists of.
import type { WithAuth } from '../accounts/auth.ts'
import type { WithUploadReader } from '../ebooks/check.ts'
import type { WithPictureReader } from '../pictures/picture-reader.ts'
import type { WithCatalogue } from './catalogue.ts'
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
import { body, created, createApi, idParam, ok, route } from '#platform/http/route.ts'

export type AdminProductsApi = ReturnType<typeof adminProductsApi>

const all = ok(adminProducts, 'All products, in the order of the page')
const product = ok(adminProduct, 'The product as it is now')
const newProductMade = created(adminProduct, 'The product as it is now')

/** `onChanged` is called after the facts of a product were changed. */
export function adminProductsApi(
  services: Services & WithAuth & WithCatalogue & WithUploadReader & WithPictureReader,
  onChanged: (services: Services, product_id: string) => Promise<void>,
) {
  const { db, auth } = services
  const { requireRecentSignIn } = auth

  return createApi()
    .openapi(route('get', '/products', { returns: all }), async (c) =>
      c.json(await listAdminProducts(db), 200),
    )
    .openapi(route('get', '/products/{id}', { params: idParam, returns: product }), async (c) =>
      c.json(await getAdminProduct(db, c.req.valid('param').id), 200),
    )
    .openapi(
      route('post', '/products', {
        ...body(newProduct),
        middleware: requireRecentSignIn,
        returns: newProductMade,
      }),
      async (c) => {
        const wanted = c.req.valid('json')
        if (wanted.price === 0) await auth.requireRecentProof(c)
        const made = await addProduct(services, actorOf(c, services), wanted)
        return c.json(await getAdminProduct(db, made), 201)
      },
    )
    .openapi(route('put', '/products/order', { ...body(productOrder), returns: all }), async (c) => {
      await orderProducts(services, actorOf(c, services), c.req.valid('json').ids)
      return c.json(await listAdminProducts(db), 200)
    })
    .openapi(
      route('patch', '/products/{id}', {
        params: idParam,
        ...body(productChange),
        middleware: requireRecentSignIn,
        returns: product,
      }),
      async (c) => {
        const { id: product_id } = c.req.valid('param')
        const wanted = c.req.valid('json')
        const { price, is_hidden } = await getAdminProduct(db, product_id)
        const isFree = (wanted.price ?? price) === 0
        if (isFree && (price !== 0 || (is_hidden && wanted.is_for_sale))) await auth.requireRecentProof(c)
        await changeProduct(services, actorOf(c, services), product_id, wanted)
        await onChanged(services, product_id)
        return c.json(await getAdminProduct(db, product_id), 200)
      },
    )
    .openapi(
      route('post', '/products/{id}/editions', {
        params: idParam,
        ...body(newEdition),
        middleware: requireRecentSignIn,
        returns: newProductMade,
      }),
      async (c) => {
        const { id: product_id } = c.req.valid('param')
        await addEdition(services, actorOf(c, services), product_id, c.req.valid('json'))
        return c.json(await getAdminProduct(db, product_id), 201)
      },
    )
    .openapi(
      route('put', '/products/{id}/cover', { params: idParam, ...body(finishedUpload), returns: product }),
      async (c) => {
        const { id: product_id } = c.req.valid('param')
        await setCover(services, actorOf(c, services), product_id, c.req.valid('json').upload_id)
        return c.json(await getAdminProduct(db, product_id), 200)
      },
    )
    .openapi(route('delete', '/products/{id}/cover', { params: idParam, returns: product }), async (c) => {
      const { id: product_id } = c.req.valid('param')
      await removeCover(services, actorOf(c, services), product_id)
      return c.json(await getAdminProduct(db, product_id), 200)
    })
    .openapi(
      route('post', '/products/{id}/copies', {
        params: idParam,
        middleware: requireRecentSignIn,
        returns: newProductMade,
      }),
      async (c) => {
        const made = await copyProduct(services, actorOf(c, services), c.req.valid('param').id)
        return c.json(await getAdminProduct(db, made), 201)
      },
    )
    .openapi(
      route('put', '/products/{id}/archived', {
        params: idParam,
        ...body(archivedRequest),
        middleware: requireRecentSignIn,
        returns: product,
      }),
      async (c) => {
        const { id: product_id } = c.req.valid('param')
        await setArchived(services, actorOf(c, services), product_id, c.req.valid('json').is_archived)
        return c.json(await getAdminProduct(db, product_id), 200)
      },
    )
    .openapi(
      route('put', '/products/{id}/stock', { params: idParam, ...body(stockChange), returns: product }),
      async (c) => {
        const { id: product_id } = c.req.valid('param')
        await setStock(services, actorOf(c, services), product_id, c.req.valid('json'))
        await services.catalogue.refresh()
        return c.json(await getAdminProduct(db, product_id), 200)
      },
    )
    .openapi(
      route('put', '/products/{id}/parts', {
        params: idParam,
        ...body(bundleParts),
        middleware: requireRecentSignIn,
        returns: product,
      }),
      async (c) => {
        const { id: product_id } = c.req.valid('param')
        if ((await getAdminProduct(db, product_id)).price === 0) await auth.requireRecentProof(c)
        await setParts(services, actorOf(c, services), product_id, c.req.valid('json').ids)
        return c.json(await getAdminProduct(db, product_id), 200)
      },
    )
}
