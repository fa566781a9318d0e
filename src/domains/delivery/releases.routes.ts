// The routes of waitlists.
import { z } from 'zod'
import { body, createApi, idParam, ok, route } from '#platform/http/route.ts'
import { clientNetwork } from '#platform/http/client-ip.ts'
import { limitPerAddress } from '#platform/http/rate-limits.ts'
import {
  waitlistEntry,
  linkedWaitlistEntry,
  waitlistRequest,
  waitlistToken,
} from '#contract/delivery/editions.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import { joinWaitlist, confirmWaitlistEntry, leaveWaitlist, showWaitlistEntry } from './waitlist.ts'

const waitlistsPerNetwork = { limit: 100, windowSeconds: 600 }

/** The response does not say whether the address is on the waitlist already. */
export function waitlistApi(services: CommerceShop) {
  const limit = limitPerAddress(services, 'release-waitlist', waitlistsPerNetwork)
  const link = { isPublic: true, ...body(waitlistToken), middleware: limit }
  return createApi()
    .openapi(
      route('post', '/products/{id}/waitlist', {
        isPublic: true,
        params: idParam,
        ...body(waitlistRequest),
        middleware: limit,
        returns: ok(z.object({ is_sent: z.literal(true) }), 'An email asks whether the address is right'),
      }),
      async (c) => {
        const { email } = c.req.valid('json')
        await services.auth.limitMail(c, { email, purpose: 'tell_me' })
        const network = clientNetwork(c, services.config.trustedProxies)
        await joinWaitlist(services, { product_id: c.req.valid('param').id, email, network })
        return c.json({ is_sent: true as const }, 200)
      },
    )
    .openapi(
      route('post', '/release-waitlist/show', {
        ...link,
        returns: ok(linkedWaitlistEntry, 'The product, and whether its release is emailed already'),
      }),
      async (c) => c.json(await showWaitlistEntry(services, c.req.valid('json').token), 200),
    )
    .openapi(
      route('post', '/release-waitlist/confirm', {
        ...link,
        returns: ok(waitlistEntry, 'The product whose release is emailed'),
      }),
      async (c) => c.json(await confirmWaitlistEntry(services, c.req.valid('json').token), 200),
    )
    .openapi(
      route('post', '/release-waitlist/end', {
        ...link,
        returns: ok(waitlistEntry, 'The product whose release is not emailed any more'),
      }),
      async (c) => c.json(await leaveWaitlist(services, c.req.valid('json').token), 200),
    )
}
