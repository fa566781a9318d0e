// The routes of products. A change of what is sold, when, and for how much, requires a recent sign-in. A price of 0, which
// gives a product to everybody, requires a recent proof, and so do the parts of such a product, and a day of release, which
// may email all who have ordered.
import { z } from '@hono/zod-openapi'
import { id } from '#contract/fields.ts'
import { body, created, createApi, idParam, ok, route, actorOf } from '#platform/http/route.ts'
import {
  stockChange,
  adminProduct,
  adminProducts,
  archivedRequest,
  bundleParts,
  editionComparison,
  finishedUpload,
  newEdition,
  newProduct,
  productChange,
  productOrder,
} from '#contract/catalog/products.ts'
import { setStock } from '#domains/catalog/stock.ts'
import { addEdition, addProduct, copyProduct, makeCurrent } from '#domains/catalog/products.ts'
import type { Transaction } from '#platform/db/client.ts'
import { queueScheduledEmails } from '#domains/mail/scheduled-emails.ts'
import { requireReleaseDay, setRelease } from './releases.ts'
import { compareEdition, getAdminProduct, listAdminProducts } from './products.ts'
import {
  changeProduct,
  orderProducts,
  setArchived,
  setParts,
  removeCover,
  setCover,
} from '#domains/catalog/change-products.ts'
import type { CommerceShop } from '#domains/book/shop.ts'

const editionParam = z.object({ id, file_id: id })

export type AdminProductsApi = ReturnType<typeof adminProductsApi>

type ProductListeners = {
  /** In the transaction that changes the price. */
  onRepriced: (services: CommerceShop, tx: Transaction, product_id: string) => Promise<void>
  onChanged: (services: CommerceShop, product_id: string) => Promise<void>
}

export function adminProductsApi(services: CommerceShop, { onRepriced, onChanged }: ProductListeners) {
  const { db, auth } = services
  const middleware = auth.requireRecentSignIn
  const all = ok(adminProducts, 'All products, in the order of the page')
  const one = { params: idParam, returns: ok(adminProduct, 'The product as it is now') }
  const recent = { ...one, middleware }
  const added = { middleware, returns: created(adminProduct, 'The product as it is now') }

  return createApi()
    .openapi(route('get', '/products', { returns: all }), async (c) =>
      c.json(await listAdminProducts(db), 200),
    )
    .openapi(route('get', '/products/{id}', one), async (c) =>
      c.json(await getAdminProduct(db, c.req.valid('param').id), 200),
    )
    .openapi(route('post', '/products', { ...added, ...body(newProduct) }), async (c) => {
      const request = c.req.valid('json')
      if (request.price === 0) await auth.requireRecentProof(c)
      await requireReleaseDay(db, request.release_on)
      const id = await addProduct(services, actorOf(c, services), request)
      return c.json(await getAdminProduct(db, id), 201)
    })
    .openapi(route('put', '/products/order', { ...body(productOrder), returns: all }), async (c) => {
      await orderProducts(services, actorOf(c, services), c.req.valid('json').ids)
      return c.json(await listAdminProducts(db), 200)
    })
    .openapi(route('patch', '/products/{id}', { ...recent, ...body(productChange) }), async (c) => {
      const { id } = c.req.valid('param')
      const { release_on, ...input } = c.req.valid('json')
      const { price, is_hidden } = await getAdminProduct(db, id)
      const isFree = (input.price ?? price) === 0
      const isGivenAway = isFree && (price !== 0 || (is_hidden && input.is_for_sale))
      if (isGivenAway || release_on !== undefined) await auth.requireRecentProof(c)
      const actor = actorOf(c, services)
      await changeProduct(services, actor, id, input, async (tx, changed) => {
        if (release_on !== undefined) await setRelease(tx, services, actor, { id, release_on })
        if (changed.has('price')) await onRepriced(services, tx, id)
      })
      if (release_on !== undefined) await queueScheduledEmails(services)
      await onChanged(services, id)
      return c.json(await getAdminProduct(db, id), 200)
    })
    .openapi(
      route('post', '/products/{id}/editions', { ...added, params: idParam, ...body(newEdition) }),
      async (c) => {
        const { id } = c.req.valid('param')
        await addEdition(services, actorOf(c, services), id, c.req.valid('json'))
        return c.json(await getAdminProduct(db, id), 201)
      },
    )
    .openapi(
      route('post', '/products/{id}/editions/check', {
        params: idParam,
        ...body(finishedUpload),
        returns: ok(editionComparison, 'What the file holds; the upload stays'),
      }),
      async (c) =>
        c.json(await compareEdition(services, c.req.valid('param').id, c.req.valid('json').upload_id), 200),
    )
    .openapi(
      route('post', '/products/{id}/editions/{file_id}/current', { ...added, params: editionParam }),
      async (c) => {
        const edition = c.req.valid('param')
        await makeCurrent(services, actorOf(c, services), edition)
        return c.json(await getAdminProduct(db, edition.id), 201)
      },
    )
    .openapi(route('put', '/products/{id}/cover', { ...one, ...body(finishedUpload) }), async (c) => {
      const { id } = c.req.valid('param')
      await setCover(services, actorOf(c, services), id, c.req.valid('json').upload_id)
      return c.json(await getAdminProduct(db, id), 200)
    })
    .openapi(route('delete', '/products/{id}/cover', one), async (c) => {
      const { id } = c.req.valid('param')
      await removeCover(services, actorOf(c, services), id)
      return c.json(await getAdminProduct(db, id), 200)
    })
    .openapi(route('post', '/products/{id}/copies', { ...added, params: idParam }), async (c) => {
      const id = await copyProduct(services, actorOf(c, services), c.req.valid('param').id)
      return c.json(await getAdminProduct(db, id), 201)
    })
    .openapi(route('put', '/products/{id}/archived', { ...recent, ...body(archivedRequest) }), async (c) => {
      const { id } = c.req.valid('param')
      await setArchived(services, actorOf(c, services), id, c.req.valid('json').is_archived)
      return c.json(await getAdminProduct(db, id), 200)
    })
    .openapi(route('put', '/products/{id}/stock', { ...one, ...body(stockChange) }), async (c) => {
      const { id } = c.req.valid('param')
      await setStock(services, actorOf(c, services), id, c.req.valid('json'))
      await services.catalogue.refresh()
      return c.json(await getAdminProduct(db, id), 200)
    })
    .openapi(route('put', '/products/{id}/parts', { ...recent, ...body(bundleParts) }), async (c) => {
      const { id } = c.req.valid('param')
      if ((await getAdminProduct(db, id)).price === 0) await auth.requireRecentProof(c)
      await setParts(services, actorOf(c, services), id, c.req.valid('json').ids)
      return c.json(await getAdminProduct(db, id), 200)
    })
}
