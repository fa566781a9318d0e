// Attacks on the letters and the excerpt: floods, replays, races of confirmations with ends and erasures; and where an
// address could leave the shop without a confirmed consent.
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { eraseAccount } from '#domains/privacy/account-erasure.ts'
import { addSubscriberLink, requestSubscription, subscribe } from '#domains/mail/subscribers.ts'
import { requestExcerpt, writeExcerptToken } from '#domains/mail/excerpt-requests.ts'
import { buyAsGuest, newVisitor, rows } from './guests.ts'
import { list, openLetters, press, readCsv, words } from './letters.ts'
import { openLogLines } from './log-lines.ts'
import type { TestShop } from './shop.ts'
import { clock, time } from './time.ts'
import { upload } from './upload.ts'

const agreed = { words, language: 'en' }
const times = (count: number) => Array.from({ length: count }, (_, nth) => nth)

/** A request that waits, and the token of its mail. */
async function ask({ services: { db } }: TestShop, email: string): Promise<string> {
  const request = { email, ...agreed, source: 'letters' as const, days: 7 }
  const id = await db.transaction((tx) => requestSubscription(tx, request, clock()))
  if (id === undefined) throw new Error('the address is on the list already')
  return (await addSubscriberLink(db, id, '', clock())).split('#')[1] ?? ''
}

async function askForExcerpt({ services }: TestShop, email: string, isTicked = true): Promise<string> {
  const request = { email, agreed: isTicked ? agreed : undefined }
  const id = await services.db.transaction((tx) => requestExcerpt(tx, request, clock()))
  return writeExcerptToken(services, id ?? '')
}

const pressExcerpt = (shop: TestShop, token: string) =>
  shop.call('POST', '/api/excerpt/letters', { body: { token } })

const isOn = async (shop: TestShop, email: string) =>
  (
    await rows(
      shop,
      `select from subscribers where email = '${email}' and ended_at is null and confirmed_at is not null`,
    )
  ).length > 0

test('floods are limited by mailbox and by network, and write one email', async () => {
  await using letters = await openLetters()
  const { shop, smtp } = letters
  const send = (email: string, path = '/api/letters') =>
    shop.call('POST', path, { body: { email, ...(path === '/api/letters' && { words }) } })
  const same = await Promise.all(times(20).map(() => send('flooded@example.com')))
  expect(new Set(same.map(({ status }) => status))).toEqual(new Set([200, 429]))
  expect(same.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(4)
  const others = await Promise.all(times(120).map((nth) => send(`reader${nth}@example.com`)))
  expect(others.filter(({ status }) => status === 429).length).toBeGreaterThan(0)
  const guesses = await Promise.all(times(120).map((nth) => press(shop, 'confirm', `guess${nth}`)))
  expect(guesses.filter(({ status }) => status === 429).length).toBeGreaterThan(0)
  expect(guesses.every(({ status }) => [403, 429].includes(status))).toBe(true)
  await expect
    .poll(() => smtp.emails.filter(({ envelope }) => envelope.to[0] === 'flooded@example.com').length)
    .toBe(1)
})

test('no token does what another one may, and no GET confirms', async () => {
  await using letters = await openLetters({ env: { RATE_LIMIT: 'off' } })
  const { shop } = letters
  const token = await ask(shop, 'waiting@example.com')
  const excerpt = await askForExcerpt(shop, 'excerpt@example.com')
  const reader = await shop.person()
  await reader.call('PUT', '/api/account/letters', { body: { words } })
  const [{ token: leaving } = { token: '' }] = await rows<{ token: string }>(
    shop,
    `select token from subscribers where email = '${reader.email}'`,
  )
  for (const wrong of [excerpt, leaving, `${token} `, token.toUpperCase(), '\0', '%', 'x'.repeat(100)])
    expect((await press(shop, 'confirm', wrong)).status).toBe(403)
  for (const wrong of [token, leaving]) expect((await pressExcerpt(shop, wrong)).status).toBe(403)
  for (const wrong of [token, excerpt])
    expect((await shop.call('POST', `/api/subscriptions/${wrong}/end`)).status).toBe(404)
  for (const path of [
    `/api/letters/confirm?token=${token}`,
    `/api/excerpt/letters?token=${excerpt}`,
    `/letters?token=${token}`,
    `/sample?token=${excerpt}`,
    `/api/subscriptions/${leaving}/end`,
  ])
    await shop.call('GET', path)
  expect(await list(shop)).toMatchObject([
    { email: 'waiting@example.com', is_confirmed: false },
    { email: reader.email, is_confirmed: true, is_ended: false },
  ])
})

test('of a confirmation and an end at the same moment, the end stays', async () => {
  await using letters = await openLetters({ env: { RATE_LIMIT: 'off' } })
  const { shop } = letters
  const { db } = shop.services
  for (const nth of times(15)) {
    const email = `race${nth}@example.com`
    await db.transaction((tx) => subscribe(tx, { email, ...agreed, source: 'letters' }, clock()))
    const [{ token: leaving } = { token: '' }] = await rows<{ token: string }>(
      shop,
      `select token from subscribers where email = '${email}'`,
    )
    const excerpt = await askForExcerpt(shop, email)
    const end = () => shop.call('POST', `/api/subscriptions/${leaving}/end`)
    const pressed = await Promise.all([pressExcerpt(shop, excerpt), end(), pressExcerpt(shop, excerpt)])
    expect(pressed.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await (await pressExcerpt(shop, excerpt)).json()).toMatchObject({ state: 'ended' })
    expect(await isOn(shop, email)).toBe(false)
  }
})

test('ending all at the moment of confirmations leaves nobody on the list', async () => {
  await using letters = await openLetters({ env: { RATE_LIMIT: 'off' } })
  const { shop, admin } = letters
  for (const round of times(6)) {
    const emails = times(6).map((nth) => `all${round}-${nth}@example.com`)
    const tokens = await Promise.all(emails.map((email) => ask(shop, email)))
    const excerpts = await Promise.all(emails.map((email) => askForExcerpt(shop, `x${email}`)))
    const [ended] = await Promise.all([
      admin.call('POST', '/api/admin/subscribers/end'),
      ...tokens.map((token) => press(shop, 'confirm', token)),
      ...excerpts.map((token) => pressExcerpt(shop, token)),
    ])
    expect(ended.status).toBe(200)
    for (const token of tokens) await press(shop, 'confirm', token)
    for (const token of excerpts) await pressExcerpt(shop, token)
    const on = await rows(
      shop,
      'select email from subscribers where confirmed_at is not null and ended_at is null',
    )
    expect(on).toEqual([])
  }
})

test('an erasure at the moment of confirmations leaves nothing of the address', async () => {
  await using letters = await openLetters({ env: { RATE_LIMIT: 'off' } })
  const { shop } = letters
  const { db } = shop.services
  for (const _ of times(8)) {
    const { id: user_id, email } = await shop.person()
    const token = await ask(shop, email)
    const excerpt = await askForExcerpt(shop, email)
    await Promise.all([
      press(shop, 'confirm', token),
      pressExcerpt(shop, excerpt),
      db.transaction((tx) => eraseAccount(tx, { user_id, now: clock() })),
      pressExcerpt(shop, excerpt),
    ])
    expect((await press(shop, 'confirm', token)).status).toBe(403)
    expect((await pressExcerpt(shop, excerpt)).status).toBe(403)
    for (const table of ['subscribers', 'excerpt_requests'])
      expect(await rows(shop, `select email from ${table} where email = '${email}'`)).toEqual([])
  }
})

test('addresses without a confirmed consent leave by no CSV of the list, no log and no metrics', async () => {
  const metricsToken = 'a token that only Prometheus has'
  const { log, lines } = openLogLines('debug')
  await using letters = await openLetters({ log, env: { METRICS_TOKEN: metricsToken } })
  const { shop, admin, smtp, buy } = letters
  const upload_id = await upload(
    shop,
    admin,
    await readFile(new URL('../content/edition/sample.epub', import.meta.url)),
    'excerpt.epub',
  )
  expect((await admin.call('PUT', '/api/admin/excerpt', { body: { upload_id } })).status).toBe(200)

  // Each way in which an address can be known without a consent that was confirmed, or that still holds.
  const [unpaid, unconfirmed] = [newVisitor(), newVisitor()]
  await buyAsGuest(shop, unpaid, { letters: words })
  await buy(unconfirmed, words)
  await shop.call('POST', '/api/letters', { body: { email: 'asked@example.com', words } })
  await shop.call('POST', '/api/letters', { body: { email: 'robot@example.com', words, website: 'x' } })
  await shop.call('POST', '/api/letters', { body: { email: 'other-words@example.com', words: 'Others' } })
  for (const letter of [undefined, words])
    await shop.call('POST', '/api/excerpt', {
      body: { email: letter ? 'ticked@example.com' : 'unticked@example.com', letters: letter },
    })
  const [left, on] = [await shop.person(), await shop.person()]
  for (const reader of [left, on]) await reader.call('PUT', '/api/account/letters', { body: { words } })
  await left.call('PUT', '/api/account/letters', { body: {} })
  await press(shop, 'refuse', await ask(shop, 'refused@example.com'))
  const over = await ask(shop, 'over@example.com')
  time.ahead = 8 * 86_400_000
  expect((await press(shop, 'confirm', over)).status).toBe(403)
  time.ahead = 0
  const author = await shop.person({ role: 'admin' })
  const without = [
    ...[unpaid, unconfirmed, left].map(({ email }) => email),
    'asked@example.com',
    'robot@example.com',
    'other-words@example.com',
    'unticked@example.com',
    'ticked@example.com',
    'refused@example.com',
    'over@example.com',
  ]
  await expect
    .poll(() => smtp.emails.some(({ envelope }) => envelope.to[0] === 'ticked@example.com'))
    .toBe(true)

  const csv = await readCsv(shop, author)
  expect(csv).toContain(on.email)
  expect(csv.trim().split('\n')).toHaveLength(2)
  const listed = await (await author.call('GET', '/api/admin/subscribers?status=confirmed')).text()
  expect(listed).toContain(on.email)
  const metrics = await (await shop.call('GET', '/metrics', { token: metricsToken })).text()
  const audit = JSON.stringify(await rows(shop, 'select subject, detail from audit_log'))
  const today = await (await author.call('GET', '/api/admin/today')).text()
  for (const [place, text] of Object.entries({ csv, listed, metrics, audit, log: JSON.stringify(lines) }))
    for (const email of without) expect([place, email, text.includes(email)]).toEqual([place, email, false])
  expect(today).not.toContain('ticked@example.com')
  expect([metrics, audit, JSON.stringify(lines)].some((text) => text.includes(on.email))).toBe(false)
})
