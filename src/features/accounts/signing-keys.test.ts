// The keys behind access tokens: made once by many, rotated, worthless under another secret.
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openSecret } from '#platform/secret.ts'
import { createAccessTokens, type Grant } from './access-tokens.ts'
import { openSigningKeys } from './signing-keys.ts'
import { openBrowser, password, signedIn } from '#test/auth-client.ts'
import { openTestShop } from '#test/shop.ts'
import { clock, time } from '#test/time.ts'

const shop = await openTestShop({ clock, isEmpty: true, env: { RATE_LIMIT: 'off' } })
afterAll(() => shop[Symbol.asyncDispose]())
beforeEach(async () => {
  await shop.services.database.pool.query('delete from auth.signing_keys')
})

const id = '019a0000-0000-7000-8000-000000000000'
const grant: Grant = {
  session: { id, aal: 'aal1', amr: [] },
  account: { id, email: 'ruth@example.com', user_metadata: {} },
}

const kidOf = (token: string) => decodeProtectedHeader(token).kid

/** As another process of the same shop would have it. */
function openProcess(services: Pick<typeof shop.services, 'db' | 'secret' | 'config'> = shop.services) {
  const keys = openSigningKeys({ ...services, clock })
  return { keys, tokens: createAccessTokens({ config: services.config, clock }, keys) }
}

test('eight processes that start at once make one key and read each other’s tokens', async () => {
  const { pool } = shop.services.database
  await Promise.all(Array.from({ length: 8 }, () => pool.query('select pg_sleep(0.05)')))
  const processes = Array.from({ length: 8 }, () => openProcess())
  const tokens = await Promise.all(processes.map((each) => each.tokens.write(grant)))
  const { rows } = await pool.query('select kid from auth.signing_keys')
  expect(rows).toHaveLength(1)
  for (const token of tokens) expect(await processes[0]!.tokens.read(token)).toMatchObject({ session_id: id })
})

test('a newer key signs, tokens of the older one stay valid, and running processes learn of it', async () => {
  const { pool } = shop.services.database
  const running = openProcess()
  const before = await running.tokens.write(grant)
  await pool.query('create table older as select * from auth.signing_keys')
  await pool.query('delete from auth.signing_keys')
  time.ahead = 5_000
  const after = await openProcess().tokens.write(grant)
  await pool.query('insert into auth.signing_keys select * from older')

  const fresh = openProcess()
  expect((await fresh.keys.publicKeys()).keys).toHaveLength(2)
  expect(await fresh.tokens.read(before)).toMatchObject({ session_id: id })
  expect(kidOf(await fresh.tokens.write(grant))).toBe(kidOf(after))
  await expect(running.tokens.read(after)).rejects.toMatchObject({ code: 'auth.bad_jwt' })
  time.ahead = 11_000
  expect(await running.tokens.read(after)).toMatchObject({ session_id: id })
  expect(await running.tokens.read(before)).toMatchObject({ session_id: id })
})

test('another AUTH_SECRET makes another key, and trusts no older token', async () => {
  const token = await openProcess().tokens.write(grant)
  const secret = openSecret({ authSecret: 'x'.repeat(32), dataDir: '' })
  const other = openProcess({ ...shop.services, secret })
  expect(kidOf(await other.tokens.write(grant))).not.toBe(kidOf(token))
  await expect(other.tokens.read(token)).rejects.toMatchObject({ code: 'auth.bad_jwt' })
})

test('tokens can be checked by anybody with the public keys, and say nothing of roles', async () => {
  const { email } = await signedIn(shop)
  const { auth } = await openBrowser(shop.url)
  const { data } = await auth.signInWithPassword({ email, password })
  const keys = createRemoteJWKSet(new URL(`${shop.url}/auth/v1/.well-known/jwks.json`))
  const { payload, protectedHeader } = await jwtVerify(data.session!.access_token, keys, {
    issuer: `${shop.url}/auth/v1`,
    audience: 'authenticated',
  })
  expect(protectedHeader).toMatchObject({ alg: 'ES256', typ: 'JWT' })
  expect(payload).toMatchObject({ email, role: 'authenticated', aal: 'aal1', amr: [{ method: 'password' }] })
  expect(Object.keys(payload)).not.toContain('is_admin')
  const published = await (await fetch(`${shop.url}/auth/v1/.well-known/jwks.json`)).text()
  expect(published).not.toContain('"d"')
  expect((await auth.getClaims()).data?.claims.sub).toBe(data.user!.id)
})
