// The routes of purchases, of orders without an account, of discount codes and of shipping.
import { responsesTexts } from '#words/refusals.ts'
import {
  ownPurchases,
  ownPurchasesRequest,
  purchase,
  receipt,
  guestReceipt,
  accessLink,
  accessRequest,
} from '#contract/orders/purchases.ts'
import { getOwnPurchase, listOwnPurchases } from './purchases.ts'
import { address, shipment, shippingTerms } from '#contract/orders/shipments.ts'
import { correctAddress, correctAddressByAdmin, readShippingTerms } from './shipping.ts'
import { getOwnReceipt, sendReceipt, getGuestReceipt } from './receipts.ts'
import { limitPerAccount, limitPerAddress, perNetwork, limitAdminMails } from '#platform/http/rate-limits.ts'
import { body, createApi, idParam, ok, route, type ApiEnv, created, actorOf } from '#platform/http/route.ts'
import { Hono } from 'hono'
import { z } from 'zod'
import { id } from '#contract/fields.ts'
import { functionRefusals, readFunctionRequest } from '#platform/http/errors.ts'
import { makeOwnLink, hashOf } from './guest-orders.ts'
import { orderProblem } from './purchase-changes.ts'
import type { BookShop } from '#domains/book/shop.ts'
import { clientNetwork } from '#platform/http/client-ip.ts'
import { discount, discountCheck, adminDiscounts, newDiscount } from '#contract/orders/discounts.ts'
import {
  limitGuesses,
  getDiscount,
  addDiscount,
  endDiscount,
  isLargeDiscount,
  listDiscounts,
  resumeDiscount,
} from './discounts.ts'
import { currentSaleMode } from '#domains/catalog/catalogue.ts'
import {
  shipmentList,
  shipmentListRequest,
  shippedRequest,
  shippedResponse,
  slips,
  slipsRequest,
  tracking,
} from '#contract/orders/admin-orders.ts'
import {
  findShipment,
  listShipments,
  readSlips,
  changeTracking,
  shipParcels,
  undoShipping,
} from './shipments.ts'

// Buying, one's own purchases, and links to their files.

export function purchasesApi(services: BookShop) {
  const { requireUser } = services.auth

  return createApi()
    .openapi(
      route('put', '/purchases/{id}/address', {
        params: idParam,
        ...body(address),
        middleware: [requireUser, limitPerAccount(services, 'addresses', { limit: 30, windowSeconds: 600 })],
        returns: ok(purchase, 'The purchase, and where it goes now'),
      }),
      async (c) => {
        const own = { user_id: c.var.user.id, purchase_id: c.req.valid('param').id }
        await correctAddress(services, own, c.req.valid('json'))
        return c.json(await getOwnPurchase(services.db, own), 200)
      },
    )
    .openapi(
      route('get', '/purchases', {
        query: ownPurchasesRequest,
        middleware: requireUser,
        returns: ok(ownPurchases, 'A page of own purchases, newest first'),
      }),
      async (c) => c.json(await listOwnPurchases(services.db, c.var.user.id, c.req.valid('query')), 200),
    )
    .openapi(
      route('get', '/purchases/{id}/receipt', {
        params: idParam,
        middleware: requireUser,
        returns: ok(receipt, 'What was paid, and what of it went back'),
      }),
      async (c) => {
        const own = { user_id: c.var.user.id, purchase_id: c.req.valid('param').id }
        return c.json(await getOwnReceipt(services.db, own), 200)
      },
    )
}

/** The other fields of the call (addresses, names, prices) are read from the database instead. */
const purchaseEmailRequest = z.object({ purchaseId: id })

export function receiptFunction(services: BookShop) {
  const limit = limitPerAccount(services, 'receipts', { limit: 20, windowSeconds: 3600 })
  const guard = [functionRefusals, services.auth.requireUser, limit] as const
  return new Hono<ApiEnv>().post('/send-purchase-email', ...guard, async (c) => {
    const { purchaseId } = await readFunctionRequest(c, purchaseEmailRequest)
    const { isOnItsWay } = await sendReceipt(services, { user_id: c.var.user.id, purchase_id: purchaseId })
    const message = isOnItsWay ? responsesTexts.receiptOnItsWay : responsesTexts.receiptSentBefore
    return c.json({ success: true, message })
  })
}

// What the browser that bought without an account, or the link in a receipt, may do with the order.

export function guestOrdersApi(services: BookShop) {
  return createApi()
    .openapi(
      route('post', '/guest/purchases/{id}/receipt', {
        isPublic: true,
        params: idParam,
        ...body(accessRequest),
        middleware: limitPerAddress(services, 'guest-receipts', perNetwork),
        returns: ok(guestReceipt, 'What was paid, and what of it went back; without the postal address'),
      }),
      async (c) => {
        const access = { purchase_id: c.req.valid('param').id, hash: hashOf(c.req.valid('json').proof) }
        return c.json(await getGuestReceipt(services, access), 200)
      },
    )
    .openapi(
      route('post', '/guest/purchases/{id}/link', {
        isPublic: true,
        params: idParam,
        ...body(accessRequest),
        middleware: limitPerAddress(services, 'guest-links', perNetwork),
        returns: created(accessLink, 'Opens the order elsewhere, as the link of the receipt does'),
      }),
      async (c) => {
        const access = { purchase_id: c.req.valid('param').id, hash: hashOf(c.req.valid('json').proof) }
        return c.json(await makeOwnLink(services, access), 201)
      },
    )
}

// Codes: checked by buyers; made, resumed and ended by admins.

export function discountsApi(services: BookShop) {
  return createApi().openapi(
    route('post', '/discounts/check', {
      ...body(discountCheck),
      returns: ok(discount, 'What it takes off, and of what'),
      isPublic: true,
    }),
    async (c) => {
      const network = clientNetwork(c, services.config.trustedProxies)
      const { code } = c.req.valid('json')
      await limitGuesses(services, code, { network })
      return c.json(await getDiscount(services, code), 200)
    },
  )
}

export type AdminDiscountsApi = ReturnType<typeof adminDiscountsApi>

const text = 'All codes, newest first'
const all = ok(adminDiscounts, text)

export function adminDiscountsApi(services: BookShop) {
  const { db, auth } = services
  return createApi()
    .openapi(route('get', '/discounts', { returns: all }), async (c) => c.json(await listDiscounts(db), 200))
    .openapi(
      route('post', '/discounts', { ...body(newDiscount), returns: created(adminDiscounts, text) }),
      async (c) => {
        const discount = c.req.valid('json')
        if (await isLargeDiscount(db, discount)) await auth.requireRecentProof(c)
        await addDiscount(services, actorOf(c, services), discount)
        return c.json(await listDiscounts(db), 201)
      },
    )
    .openapi(route('put', '/discounts/{id}/resumed', { params: idParam, returns: all }), async (c) => {
      const { id } = c.req.valid('param')
      if (await isLargeDiscount(db, { id })) await auth.requireRecentProof(c)
      await resumeDiscount(services, actorOf(c, services), id)
      return c.json(await listDiscounts(db), 200)
    })
    .openapi(route('put', '/discounts/{id}/ended', { params: idParam, returns: all }), async (c) => {
      await endDiscount(services, actorOf(c, services), c.req.valid('param').id)
      return c.json(await listDiscounts(db), 200)
    })
}

export function shippingApi(services: BookShop) {
  const returns = ok(shippingTerms, 'Whether an address is asked for, and the countries')
  return createApi().openapi(route('get', '/shipping', { returns, isPublic: true }), async (c) =>
    c.json(readShippingTerms(services, await currentSaleMode(services)), 200),
  )
}

export type ShipmentsApi = ReturnType<typeof shipmentsApi>

export function shipmentsApi(services: BookShop) {
  const { db, auth } = services
  const list = ok(shipmentList, 'A page of shipments, and how many are to be shipped')
  const outcome = ok(shippedResponse, 'Which were shipped now, and which not')
  const one = { params: idParam, returns: ok(shipment, 'The shipment as it is now') }

  async function read(purchase_id: string) {
    const shipment = await findShipment(db, purchase_id)
    if (!shipment) throw orderProblem('shipments.not_found')
    return shipment
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
      // Who marks it as shipped once more mails its buyer once more.
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
