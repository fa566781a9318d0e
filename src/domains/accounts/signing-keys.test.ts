// The key of access tokens: made once by many processes, refused under another secret.
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createAccessTokens, type Grant, openSigningKeys } from './tokens.ts'
import { createSecret } from '#platform/secret.ts'
import { openBrowser, password, signedIn } from '#test/auth-client.ts'
import { openTestShop } from '#test/shop.ts'
import { clock } from '#test/time.ts'

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

/** As another process of the same shop would have it. */
function openProcess(secret = shop.services.secret) {
  const { db, settings } = shop.services
  const keys = openSigningKeys({ db, secret, clock })
  return { keys, tokens: createAccessTokens({ settings, clock }, keys) }
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

test('a process with another secret signs nothing and trusts no token', async () => {
  const token = await openProcess().tokens.write(grant)
  const other = openProcess(createSecret())
  await expect(other.tokens.write(grant)).rejects.toThrow('belongs to another AUTH_SECRET')
  await expect(other.tokens.read(token)).rejects.toThrow('belongs to another AUTH_SECRET')
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
