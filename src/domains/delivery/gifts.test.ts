// A copy that its buyer gives to someone else is one person's at a time, whatever is pressed twice or at once.
import { expect, test, vi } from 'vitest'
import type { OwnPurchases } from '#contract/orders/purchases.ts'
import { changePurchase, giveRefundRequest } from '#test/factories.ts'
import { findOrAddUnconfirmed } from '#domains/accounts/created-accounts.ts'
import { hasOpenOrders } from '#domains/privacy/open-orders.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { openSmtpServer, type TestSmtpServer } from '#test/smtp.ts'
import type { Person } from '#test/users.ts'
import { purchases } from '#tables/orders.ts'
import { refusalsTexts, responsesTexts } from '#words/refusals.ts'
import { queueScheduledEmails } from '#domains/mail/scheduled-emails.ts'

const own = async (person: Pick<Person, 'call'>) =>
  ((await (await person.call('GET', '/api/purchases')).json()) as OwnPurchases).items

const wanted = {
  email: 'priscilla@example.com',
  sender_name: 'Aquila',
  recipient_name: 'Priscilla',
  note: 'For you.\nRead it soon.',
}

const give = (person: Person, id: string, change: object = {}) =>
  person.call('PUT', `/api/purchases/${id}/gift`, { body: { ...wanted, ...change } })

const callerWith = (shop: TestShop, token: string): Pick<Person, 'call'> => ({
  call: (method, path, options) => shop.call(method, path, { ...options, token }),
})

const download = (person: Pick<Person, 'call'>, id: string) =>
  person.call('POST', `/api/purchases/${id}/download`, { body: {} })

const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code

function mailTo(smtp: TestSmtpServer, to: string, subject: RegExp) {
  const find = () =>
    smtp.emails.findLast(({ envelope, email }) => envelope.to[0] === to && subject.test(email.subject ?? ''))
  return vi.waitUntil(() => find()?.email.text, { timeout: 20_000 })
}

const tokenIn = (text: string) => /\/gift#(\S+)/.exec(text)![1]!

const giftToken = async (...mail: Parameters<typeof mailTo>) => tokenIn(await mailTo(...mail))

const open = (shop: TestShop, token: string) => shop.call('POST', '/api/gifts/open', { body: { token } })

async function buyDigital(shop: TestShop) {
  const buyer = await shop.person()
  const { id, amount } = await buyer.buy((await shop.product('digital')).id)
  return { buyer, id, amount }
}

test('the recipient’s link opens the gift once and signs in; the buyer keeps the receipt and has no file', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openTestShop({ env: { SMTP_URL: smtp.url } })
  const { buyer, id } = await buyDigital(shop)
  expect(await own(buyer)).toMatchObject([{ id, is_givable: true, given: null }])
  const both = await Promise.all([give(buyer, id), give(buyer, id)])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  const mail = await mailTo(smtp, wanted.email, /Aquila gives you/)
  expect(mail).toContain('Read it soon.')
  expect(mail).toContain('within 30 days, signs you in once')
  expect(mail).not.toContain(buyer.email)
  const refused = await download(buyer, id)
  const detail = responsesTexts.downloadEnded
  expect(await refused.json()).toMatchObject({ code: 'purchases.not_completed', detail })
  expect((await buyer.call('GET', `/api/purchases/${id}/receipt`)).status).toBe(200)

  const token = tokenIn(mail)
  const shown = await shop.call('POST', '/api/gifts/show', { body: { token } })
  expect(await shown.json()).toMatchObject({ sender_name: 'Aquila', note: wanted.note, is_opened: false })
  const opened = await Promise.all([open(shop, token), open(shop, token)])
  expect(opened.map(({ status }) => status)).toEqual([200, 200])
  const { email, sign_in_token } = (await opened[0].json()) as { email: string; sign_in_token: string }
  expect(email).toBe(wanted.email)
  const signedIn = await shop.call('POST', '/auth/v1/verify', {
    body: { type: 'magiclink', token_hash: sign_in_token },
  })
  const { access_token } = (await signedIn.json()) as { access_token: string }
  const recipient = callerWith(shop, access_token)
  const received = await own(recipient)
  expect(received).toMatchObject([
    { amount: 0, is_givable: false, received: { from: 'Aquila', note: wanted.note, is_over: false } },
  ])
  expect((await download(recipient, received[0]!.id)).status).toBe(200)
  // Its account has been used: the link signs nobody in any more.
  expect(await (await open(shop, token)).json()).toEqual({ email, sign_in_token: null })
  expect(await own(buyer)).toMatchObject([{ given: { state: 'opened', email: wanted.email } }])
  expect(await codeOf(await give(buyer, id, { email: 'other@example.com' }))).toBe('purchase_gifts.given')
  expect(await codeOf(await buyer.call('DELETE', `/api/purchases/${id}/gift`))).toBe('purchase_gifts.opened')

  const { rows } = await shop.services.database.pool.query(
    `select sum(purchases) as purchases, sum(free) as free, sum(tests) as tests,
       (select count(*)::int from mails where kind = 'gift_to_someone') as mails from sales_day`,
  )
  expect(rows).toEqual([{ purchases: 1, free: 0, tests: 0, mails: 1 }])
  expect(await (await buyer.call('POST', '/api/account/data', { body: {} })).text()).toContain(wanted.email)
})

test('a gift’s link signs in only where there is nothing but gifts, and for 30 days after its email', async () => {
  let ahead = 0
  await using smtp = await openSmtpServer()
  await using shop = await openTestShop({
    env: { SMTP_URL: smtp.url },
    clock: () => new Date(Date.now() + ahead),
  })
  const { db } = shop.services
  const openedBy = async (email: string) => {
    const { buyer, id } = await buyDigital(shop)
    await give(buyer, id, { email })
    const token = await giftToken(smtp, email, /gives you/)
    return async () => (await (await open(shop, token)).json()) as { sign_in_token: string | null }
  }
  const verify = (token_hash: string | null) =>
    shop.call('POST', '/auth/v1/verify', { body: { type: 'magiclink', token_hash } })
  const { id: product_id } = await shop.product('digital')
  /** As a payment with the address alone does. */
  const buyWithAddress = (email: string) =>
    db.transaction(async (tx) => {
      const { user_id } = await findOrAddUnconfirmed(tx, email, new Date())
      const bought = {
        id: crypto.randomUUID(),
        user_id,
        product_id,
        amount: 1499n,
        status: 'completed' as const,
      }
      await tx.insert(purchases).values(bought)
    })

  await buyWithAddress('bought-before@example.com')
  expect((await (await openedBy('bought-before@example.com'))()).sign_in_token).toBeNull()
  const toBuyer = await mailTo(smtp, 'bought-before@example.com', /gives you/)
  expect(toBuyer).not.toContain('signs you in')
  expect(toBuyer).toContain('Email me a code instead')

  const boughtBetween = await (await openedBy('bought-between@example.com'))()
  await buyWithAddress('bought-between@example.com')
  expect(await codeOf(await verify(boughtBetween.sign_in_token))).toBe('otp_expired')

  const late = await openedBy('late@example.com')
  ahead = 29 * 86_400_000
  const { sign_in_token } = await late()
  ahead += 1_200_000
  expect(await codeOf(await verify(sign_in_token))).toBe('otp_expired')
  expect((await verify((await late()).sign_in_token)).status).toBe(200)
  const tooLate = await openedBy('too-late@example.com')
  ahead += 31 * 86_400_000
  expect((await tooLate()).sign_in_token).toBeNull()
})

test('a wrong address is corrected by taking the gift back and giving it anew; the links from before open nothing', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openTestShop({ env: { SMTP_URL: smtp.url, RATE_LIMIT: 'off' } })
  const { buyer, id } = await buyDigital(shop)
  expect(await codeOf(await give(buyer, id, { email: buyer.email }))).toBe('purchase_gifts.own_address')
  const dots = [
    '.',
    '\u3002',
    '\uff0e',
    '\uff61',
    '\u2024',
    '\u200b.',
    '.\u00ad',
    '\u200d.',
    '\u0301.',
    '.\ufe0f',
  ]
  for (const note of [
    'See https://example.com',
    'Write to me@example',
    ...dots.map((dot) => `Go to evil${dot}com`),
  ])
    for (const field of ['note', 'sender_name', 'recipient_name'])
      expect([note, (await give(buyer, id, { [field]: note })).status]).toEqual([note, 422])
  await give(buyer, id, { email: 'wrong@example.com' })
  const first = await giftToken(smtp, 'wrong@example.com', /gives you/)
  expect(await codeOf(await give(buyer, id, { email: 'right@example.com' }))).toBe('purchase_gifts.given')
  expect((await buyer.call('DELETE', `/api/purchases/${id}/gift`)).status).toBe(200)
  expect((await give(buyer, id, { email: 'right@example.com' })).status).toBe(200)
  const second = await giftToken(smtp, 'right@example.com', /gives you/)
  expect(await codeOf(await open(shop, first))).toBe('purchase_gifts.link_over')

  // A job that was composing the first email while the gift was taken back and given anew.
  const { pool } = shop.services.database
  await pool.query('update gift_links set revision = gen_random_uuid()')
  expect(await codeOf(await open(shop, second))).toBe('purchase_gifts.link_over')
  await pool.query('update gift_links l set revision = g.revision from purchase_gifts g')

  const mails = (person = buyer) => person.call('POST', `/api/purchases/${id}/gift/mails`)
  expect(await codeOf(await mails())).toBe('purchase_gifts.too_soon')
  expect((await mails(await shop.person())).status).toBe(404)
  await pool.query(`update scheduled_emails set queued_at = queued_at - interval '11 minutes'`)
  expect((await mails()).status).toBe(200)
  const tokens = () =>
    smtp.emails
      .filter(({ envelope }) => envelope.to[0] === 'right@example.com')
      .map(({ email }) => tokenIn(email.text!))
  const third = await vi.waitUntil(() => tokens()[1], { timeout: 20_000 })
  expect(await codeOf(await open(shop, second))).toBe('purchase_gifts.link_over')
  expect((await shop.call('POST', '/api/gifts/show', { body: { token: third } })).status).toBe(200)
  expect((await buyer.call('DELETE', `/api/purchases/${id}/gift`)).status).toBe(200)
  expect(await codeOf(await open(shop, third))).toBe('purchase_gifts.link_over')
  expect(await own(buyer)).toMatchObject([{ given: null, is_givable: true }])
  const link = (await (await download(buyer, id)).json()) as { url: string }
  expect((await shop.call('GET', link.url)).status).toBe(200)
  expect(await codeOf(await give(buyer, id))).toBe('purchase_gifts.not_givable')
})

test('a gift for a day is sent then, once, and ends with the money', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openTestShop({ env: { SMTP_URL: smtp.url } })
  const { buyer, id, amount } = await buyDigital(shop)
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  expect(await codeOf(await give(buyer, id, { send_at: day(400) }))).toBe('purchase_gifts.too_late')
  await give(buyer, id, { send_at: day(3) })
  await queueScheduledEmails(shop.services)
  expect(await own(buyer)).toMatchObject([{ given: { state: 'scheduled' } }])
  const { pool } = shop.services.database
  await pool.query(`update scheduled_emails set due_at = now() - interval '1 minute'`)
  await Promise.all([queueScheduledEmails(shop.services), queueScheduledEmails(shop.services)])
  const token = await giftToken(smtp, wanted.email, /gives you/)
  await expect.poll(() => own(buyer)).toMatchObject([{ given: { state: 'sent' } }])
  const kinds = `select kind, count(*)::int from scheduled_emails group by kind`
  expect((await pool.query(kinds)).rows).toEqual([{ kind: 'gift_to_someone', count: 1 }])

  const { sign_in_token } = (await (await open(shop, token)).json()) as { sign_in_token: string }
  const { access_token } = (await (
    await shop.call('POST', '/auth/v1/verify', { body: { type: 'magiclink', token_hash: sign_in_token } })
  ).json()) as { access_token: string }
  const recipient = callerWith(shop, access_token)
  const { db } = shop.services
  await changePurchase(db, id, { status: 'disputed' })
  const [disputed] = await own(recipient)
  const held = await download(recipient, disputed!.id)
  expect(await held.json()).toMatchObject({ detail: refusalsTexts['purchases.not_completed'] })
  await changePurchase(db, id, { status: 'completed' })
  await giveRefundRequest(db, id, amount)
  const list = await recipient.call('GET', '/api/purchases')
  const { items, totals } = (await list.json()) as OwnPurchases
  const [received] = items
  expect(received).toMatchObject({ received: { is_over: true } })
  expect(totals).toEqual({ purchases: 0, digital: 0 })
  const refused = await download(recipient, received!.id)
  expect(await refused.json()).toMatchObject({
    code: 'purchases.not_completed',
    detail: responsesTexts.downloadEnded,
  })
})

test('taken back and given again, no more emails leave, and nothing of it stands in the way of an erasure', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openTestShop({ env: { SMTP_URL: smtp.url } })
  const { buyer, id } = await buyDigital(shop)
  const statuses: number[] = []
  for (let nth = 1; nth <= 7; nth += 1) {
    const email = `friend-${nth}@example.com`
    const { status } = await give(buyer, id, { email })
    statuses.push(status)
    if (status === 200 && nth < 3) await mailTo(smtp, email, /gives you/)
    await buyer.call('DELETE', `/api/purchases/${id}/gift`)
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 409])
  const other = await buyer.buy((await shop.product('digital')).id)
  const isOpen = () => hasOpenOrders(shop.services.db, buyer.id)
  expect(await isOpen()).toBe(false)
  await give(buyer, other.id, { send_at: new Date(Date.now() + 86_400_000).toISOString() })
  expect(await isOpen()).toBe(true)
  await changePurchase(shop.services.db, other.id, { status: 'refunded' })
  expect(await isOpen()).toBe(false)
})

test('what is printed, free or another’s is not given, and nothing is promised without a mail server', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openTestShop({ env: { SMTP_URL: smtp.url } })
  const { buyer, id } = await buyDigital(shop)
  expect((await give(await shop.person(), id)).status).toBe(404)
  const printed = await buyer.buy((await shop.product('paperback')).id)
  expect(await codeOf(await give(buyer, printed.id))).toBe('purchase_gifts.not_givable')
  await shop.services.database.pool.query(`update purchases set amount = 0 where id = $1`, [id])
  expect(await codeOf(await give(buyer, id))).toBe('purchase_gifts.not_givable')

  await using other = await openTestShop()
  const kept = await buyDigital(other)
  expect(await codeOf(await give(kept.buyer, kept.id))).toBe('purchase_gifts.no_mail')
})
