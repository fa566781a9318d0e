// The routes of copies that buyers give, and of free copies and codes of the author.
import { limitPerAccount, limitPerAddress } from '#platform/http/rate-limits.ts'
import { body, createApi, idParam, ok, route, actorOf } from '#platform/http/route.ts'
import { purchase } from '#contract/orders/purchases.ts'
import { getOwnPurchase } from '#domains/orders/purchases.ts'
import {
  giftToken,
  giveRequest,
  openedGift,
  shownGift,
  grantCheck,
  grantList,
  grantRequest,
  grantSending,
  grantsSent,
} from '#contract/delivery/gifts.ts'
import { giveCopy, sendGiftAgain, takeCopyBack, openGift, showGift, takeGiftBack } from './gifts.ts'
import type { BookShop } from '#domains/book/shop.ts'
import { checkGrants, listGrants, sendGrants } from './grants.ts'

const perAccount = { limit: 30, windowSeconds: 3600 }
const perNetwork = { limit: 60, windowSeconds: 600 }

export function giftsApi(services: BookShop) {
  const guard = [services.auth.requireUser, limitPerAccount(services, 'given-copies', perAccount)]
  const limit = limitPerAddress(services, 'gift-links', perNetwork)
  return createApi()
    .openapi(
      route('put', '/purchases/{id}/gift', {
        params: idParam,
        ...body(giveRequest),
        middleware: guard,
        returns: ok(purchase, 'The purchase, and to whom it is given'),
      }),
      async (c) => {
        const own = { user_id: c.var.user.id, purchase_id: c.req.valid('param').id }
        await giveCopy(services, own, c.req.valid('json'))
        return c.json(await getOwnPurchase(services.db, own), 200)
      },
    )
    .openapi(
      route('delete', '/purchases/{id}/gift', {
        params: idParam,
        middleware: guard,
        returns: ok(purchase, 'The purchase, whose copy is the buyer’s own again'),
      }),
      async (c) => {
        const own = { user_id: c.var.user.id, purchase_id: c.req.valid('param').id }
        await takeCopyBack(services, own)
        return c.json(await getOwnPurchase(services.db, own), 200)
      },
    )
    .openapi(
      route('post', '/purchases/{id}/gift/mails', {
        params: idParam,
        middleware: guard,
        returns: ok(purchase, 'The purchase, whose gift is mailed once more'),
      }),
      async (c) => {
        const own = { user_id: c.var.user.id, purchase_id: c.req.valid('param').id }
        await sendGiftAgain(services, own)
        return c.json(await getOwnPurchase(services.db, own), 200)
      },
    )
    .openapi(
      route('post', '/gifts/show', {
        isPublic: true,
        ...body(giftToken),
        middleware: limit,
        returns: ok(shownGift, 'What the link of an email opens'),
      }),
      async (c) => c.json(await showGift(services, c.req.valid('json').token), 200),
    )
    .openapi(
      route('post', '/gifts/open', {
        isPublic: true,
        ...body(giftToken),
        middleware: limit,
        returns: ok(openedGift, 'The gift is the recipient’s'),
      }),
      async (c) => c.json(await openGift(services, c.req.valid('json').token), 200),
    )
}

// Free copies and codes for addresses, for the admin area.

export type GrantsApi = ReturnType<typeof grantsApi>

export function grantsApi(services: BookShop) {
  return createApi()
    .openapi(route('get', '/gifts', { returns: ok(grantList, 'What was given, newest first') }), async (c) =>
      c.json(await listGrants(services.db), 200),
    )
    .openapi(
      route('post', '/gifts/check', {
        ...body(grantRequest),
        returns: ok(grantCheck, 'Who would get it, and the mail; nothing is sent'),
      }),
      async (c) => c.json(await checkGrants(services, c.req.valid('json')), 200),
    )
    .openapi(
      route('post', '/gifts', {
        ...body(grantSending),
        returns: ok(grantsSent, 'Who gets it, and who does not'),
      }),
      async (c) => {
        const { current_password, ...sending } = c.req.valid('json')
        await services.auth.requireRecentProof(c, current_password)
        return c.json(await sendGrants(services, actorOf(c, services), sending), 200)
      },
    )
    .openapi(
      route('delete', '/gifts/{id}', { params: idParam, returns: ok(grantList, 'What is given') }),
      async (c) => {
        await services.auth.requireRecentProof(c)
        await takeGiftBack(services, actorOf(c, services), c.req.valid('param').id)
        return c.json(await listGrants(services.db), 200)
      },
    )
}
