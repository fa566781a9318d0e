// What goes by post, for the admin area.
import {
  shipmentList,
  shipmentListRequest,
  shippedResponse,
  shippedRequest,
  slips,
  slipsRequest,
  tracking,
} from './contract/admin-shipments.ts'
import { address, shipment } from './contract/shipments.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import type { WithAuth } from '../accounts/auth.ts'
import { correctAddressByAdmin } from './address.ts'
import { findShipment, listShipments, readSlips } from './list-shipments.ts'
import { changeTracking, shipParcels, undoShipping } from './ship.ts'
import { actorOf } from '../audit/actor.ts'
import { body, createApi, idParam, ok, route } from '#platform/http/route.ts'

export type ShipmentsApi = ReturnType<typeof shipmentsApi>

const changed = ok(shipment, 'The shipment as it is now')

export function shipmentsApi(services: Services & WithAuth) {
  async function read(purchase_id: string) {
    const found = await findShipment(services.db, purchase_id)
    if (!found) throw new Problem('shipments.not_found')
    return found
  }

  return createApi()
    .openapi(
      route('get', '/shipments', {
        query: shipmentListRequest,
        returns: ok(shipmentList, 'A page of shipments, and how many are to be shipped'),
      }),
      async (c) => c.json(await listShipments(services.db, c.req.valid('query')), 200),
    )
    .openapi(
      route('get', '/shipments/slips', { query: slipsRequest, returns: ok(slips, 'What packing slips say') }),
      async (c) => c.json(await readSlips(services.db, c.req.valid('query').ids), 200),
    )
    .openapi(
      route('post', '/shipments/shipped', {
        ...body(shippedRequest),
        returns: ok(shippedResponse, 'Which were shipped now, and which not'),
      }),
      async (c) => c.json(await shipParcels(services, actorOf(c, services), c.req.valid('json')), 200),
    )
    .openapi(route('delete', '/shipments/{id}/shipped', { params: idParam, returns: changed }), async (c) => {
      const { id: purchase_id } = c.req.valid('param')
      await undoShipping(services, actorOf(c, services), purchase_id)
      return c.json(await read(purchase_id), 200)
    })
    .openapi(
      route('put', '/shipments/{id}/tracking', { params: idParam, ...body(tracking), returns: changed }),
      async (c) => {
        const { id: purchase_id } = c.req.valid('param')
        await changeTracking(services, actorOf(c, services), purchase_id, c.req.valid('json'))
        return c.json(await read(purchase_id), 200)
      },
    )
    .openapi(
      route('put', '/shipments/{id}/address', {
        params: idParam,
        ...body(address),
        // A parcel that goes elsewhere is goods that are gone.
        middleware: services.auth.requireRecentSignIn,
        returns: changed,
      }),
      async (c) => {
        const { id: purchase_id } = c.req.valid('param')
        await correctAddressByAdmin(services, actorOf(c, services), purchase_id, c.req.valid('json'))
        return c.json(await read(purchase_id), 200)
      },
    )
}
