// What goes by post, for the admin area.
import { createRoute, z } from '@hono/zod-openapi'
import { id } from '#platform/contract/fields.ts'
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
import { bearer, body, createApi, json, refusal } from '#platform/http/route.ts'

export type ShipmentsApi = ReturnType<typeof shipmentsApi>

const one = z.object({ id })
const changed = { 200: json(shipment, 'The shipment as it is now'), ...refusal }

export function shipmentsApi(services: Services & WithAuth) {
  const list = createRoute({
    method: 'get',
    path: '/shipments',
    security: bearer,
    request: { query: shipmentListRequest },
    responses: { 200: json(shipmentList, 'A page of shipments, and how many are to be shipped'), ...refusal },
  })
  const readSome = createRoute({
    method: 'get',
    path: '/shipments/slips',
    security: bearer,
    request: { query: slipsRequest },
    responses: { 200: json(slips, 'What packing slips say'), ...refusal },
  })
  const ship = createRoute({
    method: 'post',
    path: '/shipments/shipped',
    security: bearer,
    request: body(shippedRequest),
    responses: { 200: json(shippedResponse, 'Which were shipped now, and which not'), ...refusal },
  })
  const undo = createRoute({
    method: 'delete',
    path: '/shipments/{id}/shipped',
    security: bearer,
    request: { params: one },
    responses: changed,
  })
  const track = createRoute({
    method: 'put',
    path: '/shipments/{id}/tracking',
    security: bearer,
    request: { params: one, ...body(tracking) },
    responses: changed,
  })
  const correct = createRoute({
    method: 'put',
    path: '/shipments/{id}/address',
    security: bearer,
    // A parcel that goes elsewhere is goods that are gone.
    middleware: services.auth.requireRecentSignIn,
    request: { params: one, ...body(address) },
    responses: changed,
  })

  async function read(purchase_id: string) {
    const found = await findShipment(services.db, purchase_id)
    if (!found) throw new Problem('shipments.not_found')
    return found
  }

  return createApi()
    .openapi(list, async (c) => c.json(await listShipments(services.db, c.req.valid('query')), 200))
    .openapi(readSome, async (c) => c.json(await readSlips(services.db, c.req.valid('query').ids), 200))
    .openapi(ship, async (c) =>
      c.json(await shipParcels(services, actorOf(c, services), c.req.valid('json')), 200),
    )
    .openapi(undo, async (c) => {
      const { id: purchase_id } = c.req.valid('param')
      await undoShipping(services, actorOf(c, services), purchase_id)
      return c.json(await read(purchase_id), 200)
    })
    .openapi(track, async (c) => {
      const { id: purchase_id } = c.req.valid('param')
      await changeTracking(services, actorOf(c, services), purchase_id, c.req.valid('json'))
      return c.json(await read(purchase_id), 200)
    })
    .openapi(correct, async (c) => {
      const { id: purchase_id } = c.req.valid('param')
      await correctAddressByAdmin(services, actorOf(c, services), purchase_id, c.req.valid('json'))
      return c.json(await read(purchase_id), 200)
    })
}
