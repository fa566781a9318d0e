// The routes of copies that buyers give.
import { limitPerAccount, limitPerAddress } from '#platform/http/rate-limits.ts'
import { body, createApi, idParam, ok, route } from '#platform/http/route.ts'
import { purchase } from '#contract/orders/purchases.ts'
import { getOwnPurchase } from '#domains/orders/purchases.ts'
import { giftToken, giveRequest, openedGift, shownGift } from '#contract/delivery/gifts.ts'
import { giveCopy, sendGiftAgain, takeCopyBack } from './gifts.ts'
import { openGift, showGift } from './gift-links.ts'
import type { CommerceShop } from '#domains/book/shop.ts'

const perAccount = { limit: 30, windowSeconds: 3600 }
const perNetwork = { limit: 60, windowSeconds: 600 }

export function giftsApi(services: CommerceShop) {
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
