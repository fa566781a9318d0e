// A download link that no longer works, for whoever opens it as a document, and for programs.
import { startStripe } from '@lectern/stripe-stand-in'
import { beforeAll, expect, test } from 'vitest'
import type { Download } from '#contract/orders/purchases.ts'
import { codeOf, downloadAsGuest, newVisitor, openGuestShop, payAsGuest } from '#test/guests.ts'
import { withPages } from '#test/forms.ts'
import { openProductsShop } from '#test/products.ts'
import type { TestShop } from '#test/shop.ts'
import { clock, time } from '#test/time.ts'
import { ensureBuilt } from '#tools/build.ts'

beforeAll(() => ensureBuilt())

const minuteMs = 60_000

async function open(shop: TestShop, url: string) {
  const response = await shop.call('GET', url, { headers: { 'sec-fetch-dest': 'document' } })
  const html = await response.text()
  const main = /<main[^]*<\/main>/.exec(html)?.[0] ?? ''
  const links = Array.from(main.matchAll(/href="([^"]+)"/g), ([, href]) => href)
  return { response, main, links }
}

test('a guest’s expired link is a page that leads to the purchase; programs get the problem document', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { openPages: withPages, clock })
  const visitor = newVisitor()
  const id = await payAsGuest(shop, stripe, visitor)
  const { url } = (await (await downloadAsGuest(shop, id, visitor.proof)).json()) as Download
  expect((await open(shop, url)).response.headers.get('content-disposition')).toMatch(/^attachment/)

  time.ahead += 16 * minuteMs
  const { response, main, links } = await open(shop, url)
  expect([response.status, response.headers.get('cache-control')]).toEqual([410, 'no-store'])
  expect(response.headers.get('content-type')).toMatch(/^text\/html/)
  expect(response.headers.get('referrer-policy')).toBe('no-referrer')
  expect(main).toContain('This link was good for 15 minutes')
  expect(main).toContain('Nine P&#x27;s that Change Everything')
  expect(links).toEqual([`/purchase/${id}`])
  for (const destination of ['empty', '']) {
    const program = await shop.call('GET', url, { headers: { 'sec-fetch-dest': destination } })
    expect([program.status, await codeOf(program)]).toEqual([410, 'downloads.link_expired'])
  }
})

test('an account’s expired link leads to the dashboard, and one that was changed names nothing', async () => {
  time.ahead = 0
  await using shop = await openProductsShop({ clock, openPages: withPages })
  const { url } = await shop.link()
  await shop.setStatus('refunded')
  const refused = await open(shop, url)
  expect([refused.response.status, refused.links]).toEqual([409, ['/dashboard']])
  expect(refused.main).toContain('This file cannot be downloaded')

  time.ahead += 16 * minuteMs
  const expired = await open(shop, url)
  expect([expired.response.status, expired.links]).toEqual([410, ['/dashboard']])
  const { response, main, links } = await open(shop, `${url}A`)
  expect([response.status, links]).toEqual([404, ['/purchases']])
  expect(main).toContain('This link does not work')
  expect(main).not.toContain('Nine P')
})
