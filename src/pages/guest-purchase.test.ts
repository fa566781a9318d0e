// A guest's purchase without scripts: what the address shows that the payment leads back to, and what its forms do.
import { startStripe } from '@lectern/stripe-stand-in'
import { beforeAll, expect, test } from 'vitest'
import { dayMs } from '#contract/durations.ts'
import { someAddress } from '#test/addresses.ts'
import { changePurchase, giveConsent, giveDownload, giveReceiptMail } from '#test/factories.ts'
import { fieldsIn, postForm, withPages } from '#test/forms.ts'
import { buyAsGuest, newVisitor, openGuestShop, payAsGuest, rows } from '#test/guests.ts'
import { openLogLines } from '#test/log-lines.ts'
import { sessionOf } from '#test/paying.ts'
import type { TestShop } from '#test/shop.ts'
import { clock, time } from '#test/time.ts'
import { ensureBuilt } from '#tools/build.ts'

beforeAll(() => ensureBuilt())

async function open(shop: TestShop, id: string, session: string) {
  const response = await shop.call('GET', `/purchase/${id}?session_id=${session}`)
  return { response, html: await response.text() }
}

const titleOf = (html: string) => /<title>(.*?)<\/title>/.exec(html)?.[1]
const refreshOf = (html: string) => /http-equiv="refresh" content="([^"]+)"/.exec(html)?.[1]

test('it says that the payment is on its way and asks again, then has number, amount and the file', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { openPages: withPages })
  const { id } = await buyAsGuest(shop, newVisitor())
  const session = sessionOf(stripe, id).id
  const waiting = await open(shop, id, session)
  expect([waiting.response.status, waiting.response.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(waiting.response.headers.get('referrer-policy')).toBe('no-referrer')
  expect(waiting.html).toContain('Waiting for your payment')
  expect(titleOf(waiting.html)).toMatch(/^Your purchase/)
  expect(refreshOf(waiting.html)).toBe(`5; url=/purchase/${id}?session_id=${session}`)
  expect(waiting.html).not.toContain('/download"')

  stripe.pay(session)
  const { html } = await open(shop, id, session)
  expect(refreshOf(html)).toBeUndefined()
  for (const text of ['Thank you!', '#1001', '$14.99', 'Download your book']) expect(html).toContain(text)
  const action = `/purchase/${id}/download`
  const response = await postForm(shop, action, fieldsIn(html, action))
  expect(response.status).toBe(303)
  const file = await shop.call('GET', response.headers.get('location')!)
  expect([file.status, file.headers.get('content-disposition')]).toEqual([
    200,
    expect.stringContaining('attachment') as string,
  ])
})

test('the id of another checkout, an old one and what is none show nothing, and no form takes them', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { openPages: withPages, clock })
  const id = await payAsGuest(shop, stripe, newVisitor())
  const other = await payAsGuest(shop, stripe, newVisitor())
  const session = sessionOf(stripe, id).id
  const wrong = [
    sessionOf(stripe, other).id,
    `cs_test_${'a'.repeat(58)}`,
    'x',
    '',
    '"><script>alert(1)</script>',
  ]
  const expectUnknown = async (access: string) => {
    const { response, html } = await open(shop, id, encodeURIComponent(access))
    expect([access, response.status]).toEqual([access, 404])
    expect(html).toContain('This browser cannot open it')
    expect(html).not.toContain('$14.99')
    expect(html).not.toContain('<script>alert')
    for (const form of ['download', 'refund']) {
      const refused = await postForm(shop, `/purchase/${id}/${form}`, { access })
      expect(refused.status).toBeGreaterThanOrEqual(404)
      expect(refused.headers.get('location')).toBeNull()
    }
  }
  for (const access of wrong) await expectUnknown(access)
  expect((await open(shop, '..%2fadmin', session)).response.status).toBe(404)
  time.ahead = dayMs + 60_000
  await expectUnknown(session)
  expect(await rows(shop, 'select 1 from withdrawals')).toEqual([])
})

test('its address, which stays in the history of a browser, does not show where the parcel goes', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { openPages: withPages })
  const { id } = await buyAsGuest(shop, newVisitor(), { format: 'paperback' })
  const session = sessionOf(stripe, id).id
  const { name, phone, ...address } = someAddress
  stripe.pay(session, { ships_to: { name, phone, address } })
  const { html } = await open(shop, id, session)
  expect(html).toContain('to the address of your order')
  expect(html).not.toContain(name)
  expect(html).not.toContain(address.line1)
})

test('without scripts a buyer withdraws, once, and the page says what was received', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { openPages: withPages })
  const id = await payAsGuest(shop, stripe, newVisitor())
  const session = sessionOf(stripe, id).id
  const action = `/purchase/${id}/refund`
  const { html } = await open(shop, id, session)
  const fields = { ...fieldsIn(html, action), reason: '<b>none</b>' }
  const foreign = await postForm(shop, action, fields, { 'sec-fetch-site': 'cross-site' })
  expect(foreign.status).toBe(403)
  expect(fieldsIn(await foreign.text(), action)).toMatchObject({ access: session })
  expect(await rows(shop, 'select 1 from withdrawals')).toEqual([])
  const sent = await postForm(shop, action, fields)
  expect([sent.status, sent.headers.get('location')]).toEqual([303, `/purchase/${id}?session_id=${session}`])
  const after = await open(shop, id, session)
  expect(after.html).toContain('You have withdrawn from this purchase')
  expect(fieldsIn(after.html, action)).toEqual({})
  const again = await postForm(shop, action, fields)
  expect([again.status, await rows(shop, 'select reason from withdrawals')]).toEqual([
    expect.any(Number) as number,
    [{ reason: '<b>none</b>' }],
  ])
})

test('without scripts a buyer whose right has ended reads when, asks the author, and takes the request back', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { openPages: withPages })
  const id = await payAsGuest(shop, stripe, newVisitor())
  const session = sessionOf(stripe, id).id
  const action = `/purchase/${id}/refund`
  const { db } = shop.services
  await changePurchase(db, id, { refund_days: 0 })
  await giveConsent(db, id)
  await giveReceiptMail(db, id, 'sent')
  await giveDownload(db, id)
  const { html } = await open(shop, id, session)
  expect(html).toMatch(/The right of withdrawal ended on [^<]+ with the first download/)
  expect(html).toContain('Ask for a refund')
  expect((await postForm(shop, action, fieldsIn(html, action))).status).toBe(303)
  const asked = await open(shop, id, session)
  expect(asked.html).toContain('Take the request back')
  expect(await rows(shop, 'select waits_for from withdrawals')).toEqual([{ waits_for: 'no_right' }])
  const fields = { ...fieldsIn(asked.html, action), takes_back: '1' }
  expect((await postForm(shop, action, fields)).status).toBe(303)
  expect(await rows(shop, 'select 1 from withdrawals')).toEqual([])
  expect((await open(shop, id, session)).html).toContain('Download your book')
})

test('sent once more after the payment, the form shows the purchase and buys nothing', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe, { openPages: withPages })
  const { id: product_id } = await shop.product('digital')
  const action = `/buy/${product_id}`
  const page = await (await shop.call('GET', action)).text()
  const fields = { ...fieldsIn(page, action), email: 'ruth@example.com' }
  await postForm(shop, action, fields)
  const [session] = [...stripe.sessions.values()]
  stripe.pay(session!.id)
  const again = await postForm(shop, action, fields)
  const html = await again.text()
  expect(html).toContain('Thank you!')
  const download = /\/purchase\/[\w-]+\/download/.exec(html)![0]
  expect((await postForm(shop, download, fieldsIn(html, download))).status).toBe(303)
  expect(html).not.toContain(`session_id=`)
  expect(await rows(shop, 'select status from purchases')).toEqual([{ status: 'completed' }])
})

test('no log has the id of a checkout', async () => {
  await using stripe = await startStripe()
  const { log, lines } = openLogLines()
  await using shop = await openGuestShop(stripe, { openPages: withPages, log })
  const id = await payAsGuest(shop, stripe, newVisitor())
  const session = sessionOf(stripe, id).id
  await open(shop, id, session)
  await expect.poll(() => JSON.stringify(lines)).toContain('/purchase/:id')
  expect(JSON.stringify(lines)).not.toContain(session)
})
