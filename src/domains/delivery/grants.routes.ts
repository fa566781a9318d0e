// Free copies and codes for addresses, for the admin area.
import { actorOf, body, createApi, idParam, ok, route } from '#platform/http/route.ts'
import { giftCheck, giftList, giftRequest, giftSending, giftsSent } from '#contract/delivery/grants.ts'
import { takeGiftBack } from './gifts.ts'
import { checkGifts, listGifts, sendGifts } from './grants.ts'
import type { BookShop } from '#domains/book/shop.ts'

export type GiftsApi = ReturnType<typeof giftsApi>

export function giftsApi(services: BookShop) {
  return createApi()
    .openapi(route('get', '/gifts', { returns: ok(giftList, 'What was given, newest first') }), async (c) =>
      c.json(await listGifts(services.db), 200),
    )
    .openapi(
      route('post', '/gifts/check', {
        ...body(giftRequest),
        returns: ok(giftCheck, 'Who would get it, and the mail; nothing is sent'),
      }),
      async (c) => c.json(await checkGifts(services, c.req.valid('json')), 200),
    )
    .openapi(
      route('post', '/gifts', {
        ...body(giftSending),
        returns: ok(giftsSent, 'Who gets it, and who does not'),
      }),
      async (c) => {
        const { current_password, ...sending } = c.req.valid('json')
        await services.auth.requireRecentProof(c, current_password)
        return c.json(await sendGifts(services, actorOf(c, services), sending), 200)
      },
    )
    .openapi(
      route('delete', '/gifts/{id}', { params: idParam, returns: ok(giftList, 'What is given') }),
      async (c) => {
        await takeGiftBack(services, actorOf(c, services), c.req.valid('param').id)
        return c.json(await listGifts(services.db), 200)
      },
    )
}
