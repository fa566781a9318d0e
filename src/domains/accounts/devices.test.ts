// A browser that has signed in before is not locked out by what strangers try elsewhere, and can itself try no more.
import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { deviceHeader } from '#contract/accounts/device-header.ts'
import { password, someone } from '#test/auth-client.ts'
import { age } from '#test/changes.ts'
import { codeOf } from '#test/second-factor.ts'
import { openTestShop } from '#test/shop.ts'
import { hashDeviceId } from './sessions.ts'
import { limits } from './limits.ts'
import { mailLimits } from './mail-limits.ts'

const shop = await openTestShop({ isEmpty: true, hasWorkers: false, env: { TRUST_PROXY: '1' } })
afterAll(() => shop[Symbol.asyncDispose]())
const { pool } = shop.services.database

let networks = 0
const network = () => `198.51.${networks >> 8}.${networks++ & 255}`

type Attempt = { device?: string | undefined; from?: string; given?: string }

function post(path: string, body: object, { device, from = network() }: Attempt = {}) {
  const headers = { 'x-forwarded-for': from, ...(device && { [deviceHeader]: device }) }
  return shop.call('POST', `/auth/v1${path}`, { body, headers })
}

async function signIn(email: string, { given = password, ...attempt }: Attempt = {}) {
  const response = await post('/token?grant_type=password', { email, password: given }, attempt)
  return { status: response.status, body: (await response.json()) as { access_token: string; code?: string } }
}

const guess = (email: string, attempt: Attempt = {}) => signIn(email, { ...attempt, given: 'a wrong guess' })

async function statuses(count: number, call: (n: number) => Promise<{ status: number }>) {
  const responses = await Promise.all(Array.from({ length: count }, (_, n) => call(n)))
  return responses.map(({ status }) => status)
}

const inOrder = (all: number[]) => all.toSorted((a, b) => a - b)
const countOf = (all: number[], status: number) => all.filter((each) => each === status).length

/** An account, and the id of the browser that has signed in to it. */
async function userWithDevice() {
  const email = someone()
  const device = randomUUID()
  const { user_id } = await shop.services.auth.createAccount({ email, password, role: 'admin' })
  const { status, body } = await signIn(email, { device })
  expect(status).toBe(200)
  return { email, device, user_id, token: body.access_token }
}

test('fifty guesses from five networks lock strangers out, and not a device that has signed in before', async () => {
  const { email, device } = await userWithDevice()
  const five = Array.from({ length: 5 }, network)
  expect(countOf(await statuses(60, (n) => guess(email, { from: five[n % 5]! })), 400)).toBe(50)
  expect((await signIn(email)).status).toBe(429)
  expect((await signIn(email, { device: randomUUID() })).status).toBe(429)
  expect((await signIn(email, { device })).status).toBe(200)
})

test('a network whose limit is spent does not lock out a known device in it', async () => {
  const { email, device } = await userWithDevice()
  const from = network()
  await statuses(limits.signInByNetwork.limit, () => guess(someone(), { from }))
  expect((await signIn(email, { from })).status).toBe(429)
  expect((await signIn(email, { from, device })).status).toBe(200)
})

test('of guesses made at once no more are compared than one after another', async () => {
  const { email, device } = await userWithDevice()
  expect(countOf(await statuses(200, () => guess(email)), 400)).toBe(limits.signInByAddress.limit)
  expect(countOf(await statuses(100, () => guess(email, { device })), 400)).toBe(
    limits.signInByKnownDevice.limit,
  )
  expect((await signIn(email, { device })).status).toBe(429)
})

test('a right password counts for nothing, and gives no wrong one back', async () => {
  const { email } = await userWithDevice()
  const from = network()
  for (let n = 0; n < 15; n++) expect((await signIn(email, { from })).status).toBe(200)
  await statuses(9, () => guess(email, { from }))
  expect((await signIn(email, { from })).status).toBe(200)
  expect((await guess(email, { from })).status).toBe(400)
  expect((await guess(email, { from })).status).toBe(429)
})

test('right passwords have a limit of their own, for each makes a session, and a known device another', async () => {
  const { email, device } = await userWithDevice()
  const all: number[] = []
  for (let n = 0; n < 6; n++) all.push(...(await statuses(20, () => signIn(email))))
  // The first made the account's device known.
  expect(countOf(all, 200)).toBe(limits.sessionByAccount.limit - 1)
  const own: number[] = []
  for (let n = 0; n < 5; n++) own.push(...(await statuses(5, () => signIn(email, { device }))))
  expect(countOf(own, 200)).toBe(limits.sessionByKnownDevice.limit)
})

test('a device known to one account is a stranger to any other, and so is what is no device', async () => {
  const { email } = await userWithDevice()
  const other = await userWithDevice()
  await statuses(60, () => guess(email))
  for (const device of [other.device, 'short', 'x'.repeat(65), `${randomUUID()}'; --`]) {
    expect((await signIn(email, { device })).status).toBe(429)
  }
})

test('a wrong password makes no device known', async () => {
  const { email } = await userWithDevice()
  const device = randomUUID()
  await guess(email, { device })
  await statuses(60, () => guess(email))
  expect((await signIn(email, { device })).status).toBe(429)
})

test('the id itself is kept nowhere, and of an account’s devices only the newest twenty', async () => {
  const { email, device, user_id } = await userWithDevice()
  for (let n = 0; n < 22; n++) await signIn(email, { device: randomUUID() })
  const { rows } = await pool.query('select hash from auth.known_devices where user_id = $1', [user_id])
  expect(rows).toHaveLength(20)
  const everything = await pool.query(`
    select (select string_agg(d::text, '') from auth.known_devices d) || (select string_agg(r::text, '') from rate_limits r)
      || (select string_agg(s::text, '') from auth.sessions s) as text`)
  expect(everything.rows[0].text).not.toContain(device)
})

test('with a second factor, the password alone makes no device known and makes none of the owner’s unknown', async () => {
  const email = someone()
  const [device, another] = [randomUUID(), randomUUID()]
  const { user_id } = await shop.services.auth.createAccount({ email, password, role: 'user' })
  await signIn(email, { device: another })
  const { body } = await signIn(email, { device })
  await giveCode(body.access_token, device)
  for (let n = 0; n < 22; n++) await signIn(email, { device: randomUUID() })
  const { rows } = await pool.query('select hash from auth.known_devices where user_id = $1', [user_id])
  // Who knew only the password may have been the other.
  expect(rows).toEqual([{ hash: hashDeviceId(device) }])
})

/** Enrols a factor and gives its code. */
async function giveCode(token: string, device: string) {
  const headers = { [deviceHeader]: device, 'x-forwarded-for': network() }
  const call = async (path: string, body?: object) =>
    (await shop.call('POST', `/auth/v1/factors${path}`, { body, headers, token })).json()
  const factor = (await call('', { factor_type: 'totp' })) as { id: string; totp: { secret: string } }
  const challenge = (await call(`/${factor.id}/challenge`)) as { id: string }
  const response = { challenge_id: challenge.id, code: codeOf(factor.totp.secret) }
  expect(await call(`/${factor.id}/verify`, response)).toHaveProperty('access_token')
}

test('a changed password makes strangers of all other devices', async () => {
  const { email, device, token } = await userWithDevice()
  const thief = randomUUID()
  await signIn(email, { device: thief })
  const changed = await shop.call('PUT', '/auth/v1/user', {
    token,
    headers: { [deviceHeader]: device },
    body: { password: 'another password', current_password: password },
  })
  expect(changed.status).toBe(200)
  await statuses(60, () => guess(email))
  expect((await guess(email, { device: thief })).status).toBe(429)
  expect((await signIn(email, { device, given: 'another password' })).status).toBe(200)
})

test('a device that has long not signed in is forgotten', async () => {
  const { email, device, user_id } = await userWithDevice()
  await age({ pool }, 'auth.known_devices.last_seen_at', '181 days', { user_id })
  await statuses(60, () => guess(email))
  expect((await signIn(email, { device })).status).toBe(429)
  await shop.services.auth.sweep()
  const { rowCount } = await pool.query('select from auth.known_devices where user_id = $1', [user_id])
  expect(rowCount).toBe(0)
})

test('strangers cannot spend the reset mails of a known device, and no mailbox is flooded', async () => {
  const { email, device } = await userWithDevice()
  const ask = (attempt: Attempt = {}) => post('/recover', { email }, attempt)
  expect(countOf(await statuses(30, () => ask()), 200)).toBe(1)
  expect((await ask({ device: randomUUID() })).status).toBe(429)
  expect(countOf(await statuses(6, () => ask({ device })), 200)).toBe(mailLimits.byKnownDevice.limit)

  const others = Array.from({ length: 5 }, () => randomUUID())
  for (const other of others) await signIn(email, { device: other })
  const more = await statuses(20, (n) => ask({ device: others[n % 5]! }))
  expect(countOf(more, 200)).toBe(mailLimits.byKnownDevices.limit - mailLimits.byKnownDevice.limit)
})

test('with a device or without, a known and an unknown address are refused alike', async () => {
  for (const device of [undefined, randomUUID()]) {
    const { email } = await userWithDevice()
    const from = network()
    const look = async (address: string) => ({
      signIns: inOrder(await statuses(12, () => guess(address, { from, device }))),
      mails: inOrder(await statuses(6, () => post('/recover', { email: address }, { from, device }))),
    })
    const [known, unknown] = [await look(email), await look(someone())]
    expect(known).toEqual(unknown)
  }
})
