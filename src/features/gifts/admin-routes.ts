// Free copies and codes for addresses, for the admin area:
//   GET  /api/admin/gifts        what was given
//   POST /api/admin/gifts/check  who of a list would get it, and the mail; sends nothing
//   POST /api/admin/gifts        gives it; asks for a recent proof
import { createRoute } from '@hono/zod-openapi'
import { clientNetwork } from '#platform/http/client-ip.ts'
import { bearer, body, createApi, json, refusal } from '#platform/http/route.ts'
import type { Services } from '../../services.ts'
import type { WithAuth } from '../accounts/auth.ts'
import type { WithLetterhead } from '../mails/letterhead.ts'
import { actorOf } from '../audit/actor.ts'
import { giftCheck, giftList, giftRequest, giftSending, giftsSent } from './contract/gifts.ts'
import { checkGifts } from './check-gifts.ts'
import { listGifts } from './list-gifts.ts'
import { sendGifts } from './send-gifts.ts'

export type GiftsApi = ReturnType<typeof giftsApi>

export function giftsApi(services: Services & WithAuth & WithLetterhead) {
  const list = createRoute({
    method: 'get',
    path: '/gifts',
    security: bearer,
    responses: { 200: json(giftList, 'What was given, newest first'), ...refusal },
  })
  const check = createRoute({
    method: 'post',
    path: '/gifts/check',
    security: bearer,
    request: body(giftRequest),
    responses: { 200: json(giftCheck, 'Who would get it, and the mail; nothing is sent'), ...refusal },
  })
  const send = createRoute({
    method: 'post',
    path: '/gifts',
    security: bearer,
    request: body(giftSending),
    responses: { 200: json(giftsSent, 'Who gets it, and who does not'), ...refusal },
  })
  return createApi()
    .openapi(list, async (c) => c.json(await listGifts(services.db), 200))
    .openapi(check, async (c) => c.json(await checkGifts(services, c.req.valid('json')), 200))
    .openapi(send, async (c) => {
      const { current_password, ...sending } = c.req.valid('json')
      const network = clientNetwork(c, services.config.trustedProxies)
      await services.auth.requireRecentProof(c.var.user, { current_password, network })
      return c.json(await sendGifts(services, actorOf(c, services), sending), 200)
    })
}
