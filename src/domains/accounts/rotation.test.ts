// Another secret for two running shops on one database: nothing that users have stops working, and what an attacker
// makes with the old secret is refused.
import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { leadMs } from '#platform/key-rotation.ts'
import { knownSecrets, prepareSecret, putInPlace, sign, type Secret } from '#platform/secret.ts'
import { openBrowser, password, signedIn } from '#test/auth-client.ts'
import { openProductsShop } from '#test/products.ts'
import { openSecondShop } from '#test/second-shop.ts'
import { codeOf, nextStep, withFactor } from '#test/second-factor.ts'
import { clock, time } from '#test/time.ts'
import { changeSecret, countSecretChange, rotateSecret } from './secrets.ts'
import {
  lockSecret,
  openPrevious,
  sealPrevious,
  readSettingSecrets,
  saveSettingSecret,
} from '#platform/secrets.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** Two shops that share nothing in memory, as two processes would. */
async function openTwoShops() {
  await using undo = new AsyncDisposableStack()
  const shop = undo.use(await openProductsShop({ clock, env: { RATE_LIMIT: 'off' }, hasWorkers: false }))
  const { config, database } = shop.services
  const second = undo.use(await openSecondShop(shop))
  const urls = [shop.url, second.url]

  async function statuses(path: string, token?: string): Promise<number[]> {
    const headers: HeadersInit = token === undefined ? {} : { authorization: `Bearer ${token}` }
    return Promise.all(urls.map(async (url) => (await fetch(url + path, { headers })).status))
  }

  /** On the second shop. */
  async function renew(refresh_token: string) {
    const response = await fetch(`${urls[1]}/auth/v1/token?grant_type=refresh_token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refresh_token }),
    })
    const session = (await response.json()) as { access_token: string; refresh_token: string }
    return { status: response.status, ...session }
  }

  async function rotate(change: typeof rotateSecret = rotateSecret) {
    const from = shop.services.secrets.inForce()
    const to = prepareSecret(config.dataDir)
    await change(database.db, { from, to }, clock())
    return { from, to }
  }

  const stack = undo.move()
  return { shop, statuses, renew, rotate, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

/** As the shop makes one for `session`, by someone who has a secret and has read the database. */
function forgeRefreshToken(secret: Secret, session: { id: string; counter: number; salt: Buffer }): string {
  const head = Buffer.alloc(24)
  head.write(session.id.replaceAll('-', ''), 'hex')
  head.writeBigUInt64BE(BigInt(session.counter), 16)
  const mac = createHmac('sha256', secret.key('refresh tokens')).update(head).update(session.salt).digest()
  return Buffer.concat([head, mac]).toString('base64url')
}

test('sessions, second factors and links outlive a rotation; the old secret makes no new links', async () => {
  await using two = await openTwoShops()
  const { shop, statuses, renew, rotate } = two
  const reader = await signedIn(shop)
  const sleeper = await signedIn(shop)
  const owner = await withFactor(shop)
  const { url } = await shop.link()
  const { from, to } = await rotate()

  const token = reader.session.access_token
  expect([await statuses('/api/me', token), await statuses(url)]).toEqual([
    [200, 200],
    [200, 200],
  ])
  // Signed by the old secret until all processes know the new one.
  const first = await renew(reader.session.refresh_token)
  expect(await statuses('/api/me', first.access_token)).toEqual([200, 200])
  putInPlace(shop.services.config.dataDir, to)
  time.ahead = leadMs + minute
  const second = await renew(first.refresh_token)
  expect(await statuses('/api/me', second.access_token)).toEqual([200, 200])
  expect(await statuses((await shop.link()).url)).toEqual([200, 200])
  nextStep()
  const { auth } = await openBrowser(shop.url)
  await auth.signInWithPassword({ email: owner.email, password })
  const { error } = await auth.mfa.challengeAndVerify({ ...owner, code: codeOf(owner.secret) })
  expect(error).toBeNull()

  const [payload = ''] = url.split('/').at(-1)!.split('.')
  const claim = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
  const forge = (expires: number) => {
    const payload = Buffer.from(JSON.stringify({ ...claim, expires })).toString('base64url')
    return `/api/files/${payload}.${sign(from.key('downloads'), payload)}`
  }
  // As if issued after the rotation, or with a longer life than a link has.
  for (const ahead of [16 * minute, 9 * day])
    expect(await statuses(forge(clock().getTime() + ahead))).toEqual([404, 404])
  time.ahead = 14 * minute
  expect(await statuses(url)).toEqual([200, 200])
  time.ahead = day + 2 * minute
  expect(await statuses(url)).toEqual([404, 404])
  // Not used since before the rotation.
  time.ahead = 20 * day
  expect((await renew(sleeper.session.refresh_token)).status).toBe(200)
})

test('the old secret and a copy of the database make no session of those that began or were renewed since', async () => {
  await using two = await openTwoShops()
  const { shop, renew, rotate } = two
  const { pool } = shop.services.database
  const before = await signedIn(shop)
  const { from } = await rotate()
  time.ahead = leadMs + minute + 1000
  const after = await signedIn(shop)
  const first = await renew(before.session.refresh_token)
  // Its response was lost.
  expect((await renew(before.session.refresh_token)).status).toBe(200)
  expect((await renew((await renew(first.refresh_token)).refresh_token)).status).toBe(200)
  for (const { user_id } of [before, after]) {
    const { rows } = await pool.query('select id, counter, salt from auth.sessions where user_id = $1', [
      user_id,
    ])
    for (const counter of [Number(rows[0].counter), Math.max(0, Number(rows[0].counter) - 1)]) {
      const forged = await renew(forgeRefreshToken(from, { ...rows[0], counter }))
      expect([forged.status, forged.access_token]).toEqual([400, undefined])
    }
  }
})

test('at once, everything of the old secret ends except second factors', async () => {
  await using two = await openTwoShops()
  const { shop, statuses, renew, rotate } = two
  const owner = await withFactor(shop)
  const { url } = await shop.link()
  const [access, refresh] = [owner.stored()!.access_token, owner.stored()!.refresh_token]
  expect(await statuses(url)).toEqual([200, 200])
  await rotate(changeSecret)
  expect(await statuses('/api/me', access)).toEqual([401, 401])
  expect(await statuses(url)).toEqual([403, 403])
  time.ahead += 10_000
  expect(await statuses(url)).toEqual([404, 404])
  expect((await renew(refresh)).status).toBe(400)
  nextStep()
  const { auth } = await openBrowser(shop.url)
  await auth.signInWithPassword({ email: owner.email, password })
  const { data } = await auth.mfa.challengeAndVerify({ ...owner, code: codeOf(owner.secret) })
  expect(await statuses('/api/me', data!.access_token)).toEqual([200, 200])
})

test('three rotations within a minute sign in their order; of two changes at once one is made', async () => {
  await using two = await openTwoShops()
  const { shop, statuses, renew } = two
  const { db, pool } = shop.services.database
  const { dataDir } = shop.services.config
  let { refresh_token } = (await signedIn(shop)).session
  for (let round = 0; round < 3; round += 1) {
    time.ahead += 20_000
    const [from] = knownSecrets(shop.services.config)
    const to = prepareSecret(dataDir)
    const changes = [1, 2].map(() => rotateSecret(db, { from, to }, clock()))
    const results = (await Promise.allSettled(changes)).map(({ status }) => status)
    expect(results.toSorted()).toEqual(['fulfilled', 'rejected'])
    putInPlace(dataDir, to)
  }
  for (let round = 0; round < 8; round += 1) {
    time.ahead += 15_000
    const renewed = await renew(refresh_token)
    expect([renewed.status, await statuses('/api/me', renewed.access_token)]).toEqual([200, [200, 200]])
    ;({ refresh_token } = renewed)
  }
  const { rows } = await pool.query('select 1 from auth.signing_keys')
  expect(rows).toHaveLength(4)
})

test('secrets of settings are sealed anew; without the old secret they are removed', async () => {
  await using two = await openTwoShops()
  const { shop, rotate } = two
  const { db, database, secrets } = shop.services
  const text = 'correct horse battery staple'
  await db.transaction(async (tx) => {
    const stored = { name: 'mail.password', text, set_at: clock(), set_by: 'author@books.example' }
    await saveSettingSecret(tx, await lockSecret(tx, secrets), stored)
  })
  const read = async () => {
    const found = await db.transaction((tx) => readSettingSecrets(tx, secrets))
    return found.get('mail.password')?.text
  }
  const sealed = async () => {
    const { rows } = await database.pool.query('select sealed from auth.setting_secrets')
    return rows.map((row) => (row as { sealed: Buffer }).sealed)
  }
  const [before] = await sealed()
  expect(before!.toString('latin1')).not.toContain(text)
  await rotate()
  expect([await read(), before!.equals((await sealed())[0]!)]).toEqual([text, false])
  await rotate(changeSecret)
  expect(await read()).toBe(text)
  expect(await countSecretChange(db, undefined)).toMatchObject({ settingsRemoved: 1 })
  await rotate((_db, { to }, now) => changeSecret(db, { from: undefined, to }, now))
  expect(await sealed()).toEqual([])
})

test('secrets that no session can be as old as are forgotten', async () => {
  await using two = await openTwoShops()
  const { shop, rotate } = two
  const { services } = shop
  const previous = async () => {
    const { rows } = await services.database.pool.query('select previous from auth.secret_fingerprint')
    return openPrevious(services.secrets.inForce(), rows[0].previous).map(({ key }) => key.text)
  }
  const { from } = await rotate()
  time.ahead = 89 * day
  await services.auth.sweep()
  expect(await previous()).toEqual([from.text])
  time.ahead = 91 * day
  await services.auth.sweep()
  expect(await previous()).toEqual([])
  expect(sealPrevious(from, [])).toBeNull()
})
