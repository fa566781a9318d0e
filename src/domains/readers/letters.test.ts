// Letters: the tick at a purchase, the button in the receipt, the page of the letters, the account, and the author's list.
import { expect, test } from 'vitest'
import type { SubscriberList } from '#contract/mail/subscribers.ts'
import { buyAsGuest, newVisitor, rows, settleAsGuest } from '#test/guests.ts'
import { list, mailTo, openLetters, press, readCsv, terms, tokenIn, words } from '#test/letters.ts'
import { sessionOf } from '#test/paying.ts'
import { saveGroup } from '#test/settings.ts'

test('a guest who ticks the box confirms in the receipt; without the tick nothing is stored or mailed', async () => {
  await using letters = await openLetters()
  const { shop, smtp, buy } = letters
  const [ticked, plain, other] = [newVisitor(), newVisitor(), newVisitor()]
  await buy(plain)
  await buy(other, 'Other words than the shop’s')
  const { id: unpaid } = await buyAsGuest(shop, newVisitor(), { letters: words })
  expect(await list(shop)).toEqual([])
  expect(await rows(shop, 'select purchase_id from subscription_requests')).toEqual([{ purchase_id: unpaid }])
  await buy(ticked, words)
  expect(await list(shop)).toEqual([
    { email: ticked.email, source: 'order', is_confirmed: false, is_ended: false },
  ])
  for (const { email } of [plain, other])
    expect(tokenIn(await mailTo(smtp, email, /receipt/))).toBeUndefined()

  const token = tokenIn(await mailTo(smtp, ticked.email, /receipt/))
  const shown = await (await press(shop, 'show', token)).json()
  expect(shown).toMatchObject({ words, state: 'unconfirmed', email: expect.stringMatching(/^g…@example/) })
  expect(await list(shop)).toMatchObject([{ is_confirmed: false }])
  const presses = await Promise.all([press(shop, 'confirm', token), press(shop, 'confirm', token)])
  for (const pressed of presses) expect(await pressed.json()).toMatchObject({ state: 'confirmed' })
  expect(await list(shop)).toMatchObject([{ is_confirmed: true, is_ended: false }])
  expect(await rows(shop, `select kind from mails where kind = 'letters_confirm'`)).toEqual([])
})

test('a canceled purchase takes the tick along, and a refund ends nothing', async () => {
  await using letters = await openLetters()
  const { shop, stripe } = letters
  const visitor = newVisitor()
  const { id } = await buyAsGuest(shop, visitor, { letters: words })
  stripe.expire(sessionOf(stripe, id).id)
  await settleAsGuest(shop, id, visitor.proof)
  expect(await rows(shop, 'select status from purchases')).toEqual([{ status: 'canceled' }])
  expect(await rows(shop, 'select purchase_id from subscription_requests')).toEqual([])
})

test('the page mails one question to an address; where it is on the list, the answer is the same, and the mail says how to leave', async () => {
  await using letters = await openLetters()
  const { shop, smtp } = letters
  const email = 'visitor@example.com'
  const ask = (body: object = {}) => shop.call('POST', '/api/letters', { body: { email, words, ...body } })
  expect((await ask({ website: 'https://spam.example' })).status).toBe(422)
  expect(await (await ask({ words: 'Others' })).json()).toMatchObject({ code: 'letters.changed' })
  expect(await list(shop)).toEqual([])
  const spent = `select key from rate_limits where key like '%${email}%'`
  expect(await rows(shop, spent)).toEqual([])
  const first = await ask()
  expect(await rows(shop, spent)).not.toEqual([])
  const token = tokenIn(await mailTo(smtp, email, /letters by email/))
  await press(shop, 'confirm', token)
  const second = await ask()
  expect([first.status, await first.text()]).toEqual([second.status, await second.text()])
  expect(await list(shop)).toEqual([{ email, source: 'letters', is_confirmed: true, is_ended: false }])

  const text = await mailTo(smtp, email, /You get letters by email/)
  const leaving = /\/emails\/([\w-]{22})/.exec(text)?.[1]
  const seen = await (await shop.call('GET', `/api/subscriptions/${leaving}`)).json()
  expect(seen).toMatchObject({ words, source: 'letters', ended_at: null })
  expect(await list(shop)).toMatchObject([{ is_ended: false }])
  expect((await shop.call('POST', `/emails/${leaving}`)).status).toBe(204)
  expect(await list(shop)).toMatchObject([{ is_ended: true }])
  expect(await (await press(shop, 'confirm', token)).json()).toMatchObject({ state: 'ended' })
  expect((await shop.call('DELETE', `/api/subscriptions/${leaving}`)).status).toBe(200)
  expect(await list(shop)).toEqual([])
})

test('a signed-in reader switches both ways, and a changed address takes the letters along', async () => {
  await using letters = await openLetters()
  const { shop } = letters
  const reader = await shop.person()
  const save = (body: object) => reader.call('PUT', '/api/account/letters', { body })
  expect(await (await reader.call('GET', '/api/account/letters')).json()).toEqual({
    is_offered: true,
    subscription: null,
  })
  expect(await (await save({ words })).json()).toMatchObject({ subscription: { words, source: 'account' } })
  expect(await (await save({})).json()).toMatchObject({
    subscription: { ended_at: expect.any(String) as string },
  })
  expect(await list(shop)).toMatchObject([{ email: reader.email, is_ended: true }])
})

test('the author lists, ends and exports those who have confirmed, and nobody else', async () => {
  await using letters = await openLetters()
  const { shop, admin } = letters
  const [first, second] = [await shop.person(), await shop.person()]
  for (const reader of [first, second]) await reader.call('PUT', '/api/account/letters', { body: { words } })
  await shop.call('POST', '/api/letters', { body: { email: 'unconfirmed@example.com', words } })
  const read = async () =>
    (await (await admin.call('GET', '/api/admin/subscribers')).json()) as SubscriberList
  const { items, counts } = await read()
  expect(items.map(({ email }) => email).toSorted()).toEqual([first.email, second.email].toSorted())
  expect(counts).toEqual({ order: 0, letters: 0, account: 2, excerpt: 0 })
  const { id } = items.find(({ email }) => email === first.email)!
  expect((await admin.call('POST', `/api/admin/subscribers/${id}/end`)).status).toBe(200)
  const csv = await readCsv(shop, admin)
  expect(csv).toContain(second.email)
  expect(csv).toMatch(/\/emails\/[\w-]{22}/)
  expect(await rows(shop, `select subject from audit_log where action = 'subscribers.ended'`)).toEqual([
    { subject: 'an address' },
  ])
  for (const hidden of [first.email, 'unconfirmed@example.com']) expect(csv).not.toContain(hidden)
  expect((await admin.call('DELETE', `/api/admin/subscribers/${id}`)).status).toBe(200)
  expect((await admin.call('DELETE', `/api/admin/subscribers/${id}`)).status).toBe(404)
  expect(await (await admin.call('POST', '/api/admin/subscribers/end')).json()).toEqual({ ended: 1 })
  expect((await read()).counts.account).toBe(0)
})

test('switched off, nothing is asked and no tick is taken; the words have to be said before it is switched on', async () => {
  await using letters = await openLetters()
  const { shop, admin, buy } = letters
  const unsaid = await saveGroup(admin, { revision: 1, values: { topics: '' } }, 'letters')
  expect(unsaid).toMatchObject({ status: 422, fields: { topics: expect.any(String) as string } })
  await saveGroup(admin, { revision: 1, values: { is_on: false } }, 'letters')
  await buy(newVisitor(), words)
  expect(await list(shop)).toEqual([])
  const asked = await shop.call('POST', '/api/letters', { body: { email: 'visitor@example.com', words } })
  expect(await asked.json()).toMatchObject({ code: 'letters.not_offered' })
})

test('a waiting request is not confirmed while letters are off, says so, and can be deleted', async () => {
  await using letters = await openLetters()
  const { shop, admin, smtp, stripe, buy } = letters
  const [kept, gone] = ['kept@example.com', 'gone@example.com']
  const tokenOf = async (email: string) => {
    await shop.call('POST', '/api/letters', { body: { email, words } })
    return tokenIn(await mailTo(smtp, email, /letters by email/))
  }
  const [first, second] = [await tokenOf(kept), await tokenOf(gone)]
  const visitor = newVisitor()
  const { id: unpaid } = await buyAsGuest(shop, visitor, { letters: words })
  await saveGroup(admin, { revision: 1, values: { is_on: false } }, 'letters')
  expect(await (await press(shop, 'show', first)).json()).toMatchObject({ state: 'not_offered' })
  const refused = await press(shop, 'confirm', first)
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
    409,
    'letters.not_offered',
  ])
  expect((await press(shop, 'refuse', second)).status).toBe(200)
  stripe.pay(sessionOf(stripe, unpaid).id)
  await settleAsGuest(shop, unpaid, visitor.proof)
  expect(tokenIn(await mailTo(smtp, visitor.email, /receipt/))).toBeUndefined()
  expect(await list(shop)).toMatchObject([{ email: kept, is_confirmed: false }])

  await saveGroup(admin, { revision: 2, values: { is_on: true, ...terms } }, 'letters')
  expect(await (await press(shop, 'confirm', first)).json()).toMatchObject({ state: 'confirmed' })
  const buyer = newVisitor()
  await buy(buyer, words)
  expect(tokenIn(await mailTo(smtp, buyer.email, /receipt/))).toBeDefined()
})

test('ending all forgets what waits for a confirmation, also the tick of an order that is not paid', async () => {
  await using letters = await openLetters()
  const { shop, admin, smtp, stripe } = letters
  const [waiting, visitor] = ['waiting@example.com', newVisitor()]
  await shop.call('POST', '/api/letters', { body: { email: waiting, words } })
  const token = tokenIn(await mailTo(smtp, waiting, /letters by email/))
  const { id } = await buyAsGuest(shop, visitor, { letters: words })
  expect((await admin.call('POST', '/api/admin/subscribers/end')).status).toBe(200)
  const refused = await press(shop, 'confirm', token)
  expect(((await refused.json()) as { code: string }).code).toBe('letters.link_over')
  stripe.pay(sessionOf(stripe, id).id)
  await settleAsGuest(shop, id, visitor.proof)
  expect(tokenIn(await mailTo(smtp, visitor.email, /receipt/))).toBeUndefined()
  expect(await list(shop)).toEqual([])
})
