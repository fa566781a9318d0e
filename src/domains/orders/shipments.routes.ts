// The routes of shipping terms and of shipments.
import { address, shippingTerms } from '#contract/orders/shipments.ts'
import { correctAddressByAdmin, readShippingTerms } from './shipping.ts'
import { limitAdminMails } from '#platform/http/rate-limits.ts'
import { body, createApi, idParam, ok, route, actorOf } from '#platform/http/route.ts'
import { orderProblem } from './problem.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import { currentSaleMode } from '#domains/catalog/sale-mode.ts'
import {
  parcel,
  shipmentList,
  shipmentListRequest,
  shippedRequest,
  shippedResponse,
  slips,
  slipsRequest,
  tracking,
} from '#contract/orders/admin-orders.ts'
import {
  findParcel,
  listShipments,
  readSlips,
  changeTracking,
  shipParcels,
  undoShipping,
} from './shipments.ts'

export function shippingApi(services: CommerceShop) {
  const returns = ok(shippingTerms, 'Whether an address is asked for, and the countries')
  return createApi().openapi(route('get', '/shipping', { returns, isPublic: true }), async (c) =>
    c.json(readShippingTerms(services, await currentSaleMode(services)), 200),
  )
}

export type ShipmentsApi = ReturnType<typeof shipmentsApi>

export function shipmentsApi(services: CommerceShop) {
  const { db, auth } = services
  const list = ok(shipmentList, 'A page of shipments, and how many are to be shipped')
  const outcome = ok(shippedResponse, 'Which were shipped now, and which not')
  const one = { params: idParam, returns: ok(parcel, 'The shipment as it is now') }

  async function read(purchase_id: string) {
    const result = await findParcel(db, purchase_id)
    if (!result) throw orderProblem('shipments.not_found')
    return result
  }

  return createApi()
    .openapi(route('get', '/shipments', { query: shipmentListRequest, returns: list }), async (c) =>
      c.json(await listShipments(db, c.req.valid('query')), 200),
    )
    .openapi(
      route('get', '/shipments/slips', { query: slipsRequest, returns: ok(slips, 'What packing slips say') }),
      async (c) => c.json(await readSlips(db, c.req.valid('query').ids), 200),
    )
    .openapi(route('post', '/shipments/shipped', { ...body(shippedRequest), returns: outcome }), async (c) =>
      c.json(await shipParcels(services, actorOf(c, services), c.req.valid('json')), 200),
    )
    .openapi(
      // An admin who marks it as shipped once more mails its buyer once more.
      route('delete', '/shipments/{id}/shipped', { ...one, middleware: limitAdminMails(services) }),
      async (c) => {
        const { id } = c.req.valid('param')
        await undoShipping(services, actorOf(c, services), id)
        return c.json(await read(id), 200)
      },
    )
    .openapi(route('put', '/shipments/{id}/tracking', { ...one, ...body(tracking) }), async (c) => {
      const { id } = c.req.valid('param')
      await changeTracking(services, actorOf(c, services), id, c.req.valid('json'))
      return c.json(await read(id), 200)
    })
    .openapi(
      // A parcel that goes elsewhere is goods that are gone.
      route('put', '/shipments/{id}/address', {
        ...one,
        ...body(address),
        middleware: auth.requireRecentSignIn,
      }),
      async (c) => {
        const { id } = c.req.valid('param')
        await correctAddressByAdmin(services, actorOf(c, services), id, c.req.valid('json'))
        return c.json(await read(id), 200)
      },
    )
}
