// Receipts that are mailed again by address: those of the newest orders, to the mailbox alone, with one answer for everybody.
import { startStripe } from '@lectern/stripe-stand-in'
import { expect, test } from 'vitest'
import { minuteMs } from '#contract/durations.ts'
import { askAsGuest, newVisitor, openGuestShop, payAsGuest, rows } from '#test/guests.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { emailsTexts } from '#words/emails.ts'

const ask = (shop: TestShop, email: string, headers = {}) =>
  shop.call('POST', '/api/guest/receipts', { body: { email }, headers })

const receipts = (shop: TestShop) =>
  rows<{ purchase_id: string }>(
    shop,
    `select purchase_id from mails where kind = 'receipt' and created_at > now() - interval '1 hour'
      order by created_at`,
  )

const allDone = (shop: TestShop) =>
  expect.poll(() => rows(shop, `select name from pgboss.job where state < 'completed'`)).toEqual([])

/** The pause after a receipt is over. */
async function ageReceipts(shop: TestShop, count: number) {
  await expect.poll(() => receipts(shop)).toHaveLength(count)
  await shop.services.database.pool.query(`update mails set created_at = now() - interval '1 day'`)
}

test('the receipts of the newest three orders are mailed again, for an account as well', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' } })
  const reader = await shop.person()
  const ids: string[] = []
  for (const format of ['digital', 'paperback', 'hardcover', 'bundle'])
    ids.push((await reader.buy((await shop.product(format)).id)).id)
  await ageReceipts(shop, 4)
  expect((await ask(shop, reader.email.toUpperCase())).status).toBe(200)
  await expect.poll(() => receipts(shop)).toHaveLength(3)
  const sent = (await receipts(shop)).map(({ purchase_id }) => purchase_id)
  expect(new Set(sent)).toEqual(new Set(ids.slice(1)))
  // What was sent a moment ago is not sent again.
  await ask(shop, reader.email)
  await allDone(shop)
  expect(await receipts(shop)).toHaveLength(3)
})

test('the link of a guest’s receipt opens the order; once the money went back, there is no receipt', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  const admin = await shop.person({ role: 'admin' })
  const visitor = newVisitor()
  const id = await payAsGuest(shop, stripe, visitor)
  await ageReceipts(shop, 1)
  expect((await ask(shop, visitor.email)).status).toBe(200)
  await expect.poll(() => receipts(shop)).toEqual([{ purchase_id: id }])
  const mails = (await shop.mailbox.all()).filter(({ subject }) => subject?.includes('receipt'))
  const links = mails.map(({ text = '' }) => new RegExp(`/purchase/${id}#([\\w-]{43})`).exec(text)?.[1] ?? '')
  expect(new Set(links).size).toBe(2)
  for (const link of links) expect((await askAsGuest(shop, id, link)).status).toBe(200)

  await admin.call('POST', `/api/admin/purchases/${id}/refund`, { body: {} })
  await expect.poll(() => rows(shop, 'select status from purchases')).toEqual([{ status: 'refunded' }])
  await ageReceipts(shop, 1)
  expect((await ask(shop, visitor.email)).status).toBe(200)
  await allDone(shop)
  expect(await receipts(shop)).toEqual([])
})

test('the receipt of a copy that was given away says that its link opens the order, not the book', async () => {
  await using stripe = await startStripe()
  await using shop = await openGuestShop(stripe)
  const visitor = newVisitor()
  const id = await payAsGuest(shop, stripe, visitor)
  await ageReceipts(shop, 1)
  await rows(
    shop,
    `insert into purchase_gifts (purchase_id, email, sender_name, send_at, revision)
       values ('${id}', 'b@example.com', 'Ruth', now(), gen_random_uuid()) returning purchase_id`,
  )
  expect((await ask(shop, visitor.email)).status).toBe(200)
  await expect.poll(() => receipts(shop)).toEqual([{ purchase_id: id }])
  const sent = async () =>
    (await shop.mailbox.all()).flatMap(({ subject, html = '' }) =>
      subject?.includes('receipt') ? [html] : [],
    )
  await expect.poll(sent).toHaveLength(2)
  const [first = '', again = ''] = await sent()
  const { getBook, previewDigital } = emailsTexts.receipt
  for (const words of ['opens your book', getBook, previewDigital]) {
    expect(first).toContain(words)
    expect(again).not.toContain(words)
  }
  for (const words of ['opens your order', emailsTexts.shared.seePurchase]) expect(again).toContain(words)
})

test('an unknown address gets the same answer and no email, and a bad one is refused', async () => {
  await using shop = await openTestShop()
  const reader = await shop.person()
  const answers = await Promise.all(
    [reader.email, 'nobody@example.com'].map(async (email) => {
      const response = await ask(shop, email)
      return [response.status, await response.json()]
    }),
  )
  for (const answer of answers) expect(answer).toEqual([200, { is_received: true }])
  await allDone(shop)
  expect(await rows(shop, `select 1 from pgboss.job where name = 'orders.receipts_again'`)).toHaveLength(2)
  expect(await shop.mailbox.all()).toEqual([])
  expect((await ask(shop, 'nobody')).status).toBe(422)
})

test('strangers have seven receipts a day sent to a mailbox, then one', async () => {
  let now = Date.now()
  await using shop = await openTestShop({ clock: () => new Date(now), env: { TRUST_PROXY: '1' } })
  const { email } = await shop.person()
  let accepted = 0
  for (let hour = 0; hour < 23; hour += 1) {
    const from = { 'x-forwarded-for': `198.51.100.${hour}` }
    if ((await ask(shop, email, from)).ok) accepted += 1
    now += 61 * minuteMs
  }
  expect(accepted).toBe(3)
  const counts = `select data->>'count' as count from pgboss.job where name = 'orders.receipts_again' order by 1`
  expect(await rows(shop, counts)).toEqual([{ count: '1' }, { count: '3' }, { count: '3' }])
})
