// Nobody spends a mailbox's day: what strangers can have mailed to an address, and that its owner gets in meanwhile.
import { createHash, randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { hourMs, minuteMs } from '#contract/durations.ts'
import { deviceHeader } from '#contract/accounts/device-header.ts'
import { findPurchaseNext } from '#contract/paths.ts'
import { codeIn, linkIn, mailsTo, openBrowser, password, signedIn, someone } from '#test/auth-client.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { clock, time } from '#test/time.ts'
import { rememberingPasswords } from '#test/passwords.ts'
import { Postponed } from '#platform/queue.ts'
import { accountProblem } from './accounts.ts'
import { mailLimits, postponeUnknownMail } from './mail-limits.ts'
import type { Passwords } from './passwords.ts'

const openShop = () => openTestShop({ clock, isEmpty: true, sendsMail: true, env: { TRUST_PROXY: '1' } })

let networks = 0
const someNetwork = () => `198.51.${networks >> 8}.${networks++ & 255}`

type Asker = { from?: string; device?: string }

function post(shop: TestShop, path: string, body: object, { from = someNetwork(), device }: Asker = {}) {
  const headers = { 'x-forwarded-for': from, ...(device && { [deviceHeader]: device }) }
  return shop.call('POST', `/auth/v1${path}`, { body, headers })
}

const askCode = (shop: TestShop, email: string, asker?: Asker) => post(shop, '/otp', { email }, asker)
const askPassword = (shop: TestShop, email: string, asker?: Asker) => post(shop, '/recover', { email }, asker)
const askPurchase = (shop: TestShop, email: string, asker?: Asker) =>
  post(shop, `/otp?redirect_to=${encodeURIComponent(`${shop.url}${findPurchaseNext}`)}`, { email }, asker)
const askSignUp = (shop: TestShop, email: string, asker?: Asker) =>
  post(shop, '/signup', { email, password }, asker)

async function messageOf(response: Response): Promise<string> {
  const { code, message } = (await response.json()) as { code: string; message: string }
  expect([response.status, code]).toEqual([429, 'over_email_send_rate_limit'])
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  return message
}

const isRequested = /^An email was requested at (.+); its link works until (.+) in any browser\b/

const verify = (shop: TestShop, link: { token_hash: string; type: string }, asker?: Asker) =>
  post(shop, '/verify', { token_hash: link.token_hash, type: link.type }, asker)

/** The newest link for signing in that was mailed to the address and works now; it is not used up. */
async function heldLink(shop: TestShop, email: string) {
  const mails = (await mailsTo(shop, email, 1)).toReversed()
  const { rows } = await shop.services.database.pool.query<{ hash: Buffer }>(
    'select hash from auth.one_time_tokens where expires_at > $1',
    [clock()],
  )
  const living = new Set(rows.map(({ hash }) => hash.toString('hex')))
  const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')
  // To who signs up with an address that has an account, an email without a token is sent.
  const tokens = mails.filter(({ text }) => text?.includes('token_hash'))
  return tokens.map(linkIn).find(({ token_hash }) => living.has(hashOf(token_hash)))
}

/** When all that was accepted is mailed. */
async function allMailed({ services }: TestShop) {
  const waiting = `select from pgboss.job where name = 'mail.account' and state < 'completed'`
  await expect.poll(async () => (await services.database.pool.query(waiting)).rowCount).toBe(0)
}

test.for([2, 10])(
  'the owner gets in at each hour of a day in which %d networks of strangers ask for all that can be asked for',
  async (count) => {
    await using shop = await openShop()
    const { email } = await signedIn(shop)
    const strangers = Array.from({ length: count }, someNetwork)
    let ofStrangers = 0
    let usedLinks = 0
    for (let at = 0; at < 24; at += 1) {
      time.ahead = at * hourMs + minuteMs
      for (const from of strangers) {
        const asked = await Promise.all([
          askCode(shop, email, { from }),
          askPassword(shop, email, { from }),
          askPurchase(shop, email, { from }),
          askSignUp(shop, email, { from }),
        ])
        ofStrangers += asked.filter(({ ok }) => ok).length
      }
      const owner = { from: someNetwork(), device: randomUUID() }
      const own = await askCode(shop, email, owner)
      if (!own.ok) expect(await messageOf(own)).toMatch(isRequested)
      await allMailed(shop)
      const link = await heldLink(shop, email)
      expect([at, link?.type]).toEqual([at, expect.stringMatching(/^(magiclink|recovery)$/)])
      // Every other time the link is used, and has ended with it.
      if (at % 2 === 0) continue
      usedLinks += 1
      expect((await verify(shop, link!, owner)).status).toBe(200)
    }
    // Each use of a link gives back what it has taken.
    expect(ofStrangers).toBeLessThanOrEqual(12 + 5 * usedLinks)
  },
)

test('strangers have at most twelve emails a day sent to a mailbox', async () => {
  await using shop = await openShop()
  const { email } = await signedIn(shop)
  let accepted = 0
  for (let at = 0; at < 24; at += 1) {
    time.ahead = at * hourMs + at * 1_000
    const asked = await Promise.all([
      askCode(shop, email),
      askPassword(shop, email),
      askSignUp(shop, email),
      askCode(shop, email),
    ])
    accepted += asked.filter(({ ok }) => ok).length
  }
  expect(accepted).toBeLessThanOrEqual(12)
  await allMailed(shop)
  expect(await mailsTo(shop, email, accepted)).toHaveLength(accepted)
})

test('while a link works, a stranger’s request sends nothing and says when it was requested, for a known address and an unknown one', async () => {
  await using shop = await openShop()
  const { email } = await signedIn(shop)
  const isPurchaseRequested = /^An email was requested at (.+)\. Please .+ requested at (.+) \(times in UTC\)/
  for (const [ask, words] of [
    [askCode, isRequested],
    [askPassword, isRequested],
    [askSignUp, isRequested],
    [askPurchase, isPurchaseRequested],
  ] as const) {
    const messages: string[] = []
    for (const address of [email, someone()]) {
      time.ahead = 0
      expect((await ask(shop, address)).status).toBe(200)
      time.ahead = minuteMs
      messages.push(await messageOf(await ask(shop, address)))
    }
    expect(messages[0]).toMatch(words)
    expect(messages[1]).toBe(messages[0])
  }
  await allMailed(shop)
  expect(await mailsTo(shop, email, 4)).toHaveLength(4)
})

test('a link for signing in works an hour in any browser, its code ten minutes where it was asked for', async () => {
  await using shop = await openShop()
  const { email } = await signedIn(shop)
  const asker = { from: someNetwork(), device: randomUUID() }
  expect((await askCode(shop, email, asker)).status).toBe(200)
  const [mail] = await mailsTo(shop, email, 1)
  time.ahead = 11 * minuteMs
  const code = { type: 'email', email, token: codeIn(mail!) }
  expect((await post(shop, '/verify', code, asker)).status).toBe(403)
  time.ahead = 59 * minuteMs
  expect((await verify(shop, linkIn(mail!))).status).toBe(200)
  time.ahead = 60 * minuteMs
  expect((await askCode(shop, email)).status).toBe(200)
  const [, second] = await mailsTo(shop, email, 2)
  time.ahead = 121 * minuteMs
  expect((await verify(shop, linkIn(second!))).status).toBe(403)
})

test('when the link was used or has ended, the next request sends again', async () => {
  await using shop = await openShop()
  const { email } = await signedIn(shop)
  expect((await askCode(shop, email)).status).toBe(200)
  expect((await askCode(shop, email)).status).toBe(429)
  const [mail] = await mailsTo(shop, email, 1)
  expect((await verify(shop, linkIn(mail!))).status).toBe(200)
  expect((await askCode(shop, email)).status).toBe(200)
  expect((await askCode(shop, email)).status).toBe(429)
  time.ahead = hourMs + minuteMs
  expect((await askCode(shop, email)).status).toBe(200)
})

test('a network is the mailbox’s own once a code or link for signing in was redeemed from it, and then waits for no stranger', async () => {
  await using shop = await openShop()
  const { email } = await signedIn(shop)
  const [own, byLink, byPassword] = [someNetwork(), someNetwork(), someNetwork()]
  const device = randomUUID()
  expect((await askCode(shop, email, { from: own, device })).status).toBe(200)
  const [mail] = await mailsTo(shop, email, 1)
  const code = { type: 'email', email, token: codeIn(mail!) }
  expect((await post(shop, '/verify', code, { from: own, device })).status).toBe(200)
  expect((await askCode(shop, email)).status).toBe(200)
  const [, second] = await mailsTo(shop, email, 2)
  // Opening the link's page is no proof of the mailbox.
  await shop.call('GET', `/?token_hash=${linkIn(second!).token_hash}&type=magiclink`, {
    headers: { 'x-forwarded-for': byLink },
  })
  expect((await askCode(shop, email, { from: byLink })).status).toBe(429)
  expect((await askCode(shop, email, { from: own })).status).toBe(200)
  expect((await verify(shop, linkIn(second!), { from: byLink })).status).toBe(200)
  expect((await askPassword(shop, email)).status).toBe(200)
  await allMailed(shop)
  const reset = (await mailsTo(shop, email, 4)).at(-1)!
  expect((await verify(shop, linkIn(reset), { from: byPassword })).status).toBe(200)
  expect((await askCode(shop, email)).status).toBe(200)
  for (const from of [own, byLink, byPassword]) {
    expect((await askCode(shop, email, { from })).status).toBe(200)
    // It is own for this mailbox alone.
    const other = someone()
    expect((await askCode(shop, other)).status).toBe(200)
    expect((await askCode(shop, other, { from })).status).toBe(429)
  }
  // The own networks' mails are limited, too; then they have what strangers have.
  time.ahead = 2 * hourMs
  const many = await Promise.all(Array.from({ length: 8 }, () => askCode(shop, email, { from: own })))
  expect(many.filter(({ ok }) => ok)).toHaveLength(mailLimits.byAddressAndNetwork.limit)
})

test('the link of a sign-up makes no network the mailbox’s own', async () => {
  await using shop = await openShop()
  const email = someone()
  const from = someNetwork()
  expect((await askSignUp(shop, email, { from })).status).toBe(200)
  const [mail] = await mailsTo(shop, email, 1)
  expect((await verify(shop, linkIn(mail!), { from })).status).toBe(200)
  expect((await askCode(shop, email)).status).toBe(200)
  expect((await askCode(shop, email, { from })).status).toBe(429)
})

test('the owner who presses the link of a stranger’s sign-up, having been told to, does not get the stranger’s password', async () => {
  await using shop = await openShop()
  const email = someone()
  const [stranger, owner] = [
    { from: someNetwork(), device: randomUUID() },
    { from: someNetwork(), device: randomUUID() },
  ]
  const known = 'the password of the stranger'
  expect((await post(shop, '/signup', { email, password: known }, stranger)).status).toBe(200)
  expect(await messageOf(await askSignUp(shop, email, owner))).toMatch(isRequested)
  const [mail] = await mailsTo(shop, email, 1)
  expect((await verify(shop, linkIn(mail!), owner)).status).toBe(200)
  const guess = await post(shop, '/token?grant_type=password', { email, password: known }, stranger)
  expect(guess.status).toBe(400)
})

test('a sign-up that is repeated in its own browser keeps its password, wherever its link is pressed', async () => {
  await using shop = await openShop()
  const email = someone()
  const asker = { from: someNetwork(), device: randomUUID() }
  expect((await askSignUp(shop, email, asker)).status).toBe(200)
  expect((await askSignUp(shop, email, asker)).status).toBe(429)
  const [mail] = await mailsTo(shop, email, 1)
  expect((await verify(shop, linkIn(mail!), { device: randomUUID() })).status).toBe(200)
  const signIn = await post(shop, '/token?grant_type=password', { email, password }, asker)
  expect(signIn.status).toBe(200)
})

test('a confirmation that is asked for again in vain does not stand in the way of a sign-up', async () => {
  await using shop = await openShop()
  const { email } = await signedIn(shop)
  const askAgain = () => post(shop, '/resend', { email, type: 'signup' })
  expect((await askAgain()).status).toBe(200)
  expect(await messageOf(await askAgain())).toMatch(isRequested)
  expect((await askSignUp(shop, email)).status).toBe(200)
  const [mail, ...others] = await mailsTo(shop, email, 1)
  expect([mail!.subject, others]).toEqual(['You already have an account', []])
  const another = someone()
  expect((await askSignUp(shop, another)).status).toBe(200)
  expect((await post(shop, '/resend', { email: another, type: 'signup' })).status).toBe(429)
})

test('a sign-up that finds the queue of hashes full is a 503, counts nowhere, and passes when it is repeated', async () => {
  let isFull = true
  const passwords: Passwords = {
    ...rememberingPasswords,
    hash: (typed) =>
      isFull
        ? Promise.reject(accountProblem('auth.request_timeout', { retryAfter: 2 }))
        : rememberingPasswords.hash(typed),
  }
  await using shop = await openTestShop({ isEmpty: true, hasWorkers: false, passwords })
  const email = someone()
  const full = await askSignUp(shop, email)
  expect([full.status, full.headers.get('retry-after')]).toEqual([503, '2'])
  const { rows } = await shop.services.database.pool.query('select sum(hits)::int as hits from rate_limits')
  expect(rows).toEqual([{ hits: 0 }])
  isFull = false
  expect((await askSignUp(shop, email)).status).toBe(200)
})

test('of mails to addresses with neither account nor purchase, one network has sixty written in ten minutes', async () => {
  await using shop = await openShop()
  const { email } = await signedIn(shop)
  const network = someNetwork()
  const isLimited = (address: string) =>
    postponeUnknownMail(shop.services, address, network).then(
      () => false,
      (error: unknown) => error instanceof Postponed,
    )
  const results: boolean[] = []
  for (let n = 0; n < 61; n += 1) results.push(await isLimited(someone()))
  expect(results).toEqual([...Array<boolean>(60).fill(false), true])
  expect(await isLimited(email)).toBe(false)
  time.ahead = 10 * minuteMs + 1_000
  expect(await isLimited(someone())).toBe(false)
})

test('an email that no mail server took keeps no later request from sending', async () => {
  await using shop = await openTestShop({ isEmpty: true, env: { TRUST_PROXY: '1' } })
  const email = someone()
  expect((await askPassword(shop, email)).status).toBe(200)
  expect(await messageOf(await askPassword(shop, email))).toMatch(
    /^Too many emails were asked for\. Please try again in (an hour|\d+ minutes)\.$/,
  )
  vi.spyOn(shop.services.mail, 'sendsMail').mockReturnValue(true)
  expect((await askPassword(shop, email)).status).toBe(200)
  expect(await messageOf(await askPassword(shop, email))).toMatch(isRequested)
})

test('auth-js reads the refusal as GoTrue’s', async () => {
  await using shop = await openShop()
  const { email } = await signedIn(shop)
  const { auth } = await openBrowser(shop.url)
  expect((await auth.signInWithOtp({ email })).error).toBeNull()
  const { error } = await auth.signInWithOtp({ email })
  expect(error).toMatchObject({
    status: 429,
    code: 'over_email_send_rate_limit',
    message: expect.stringMatching(isRequested),
  })
})
