// The keys of access tokens: made once by many processes, rotated, refused under another secret.
import { createRemoteJWKSet, decodeProtectedHeader, importJWK, jwtVerify, SignJWT, type JWK } from 'jose'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { Config } from '../../config.ts'
import { createAccessTokens, type Grant, openSigningKeys, rotateSigningKey } from './signing-keys.ts'
import { openSecrets, unseal } from '#platform/secrets.ts'
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

const day = 86_400
const kidOf = (token: string) => decodeProtectedHeader(token).kid!

/** With the stored private key, as an attacker who has it would; `iat` and `exp` in seconds from now. */
async function forge(kid: string, { iat, exp }: { iat: number; exp: number }): Promise<string> {
  const { settings, database, secrets } = shop.services
  const { rows } = await database.pool.query<{ private_jwk: Buffer }>(
    'select private_jwk from auth.signing_keys where kid = $1',
    [kid],
  )
  const sealed = rows[0]!.private_jwk
  const jwk = JSON.parse(unseal(secrets.inForce().key('signing keys'), sealed)) as JWK
  const now = Math.floor(Date.now() / 1000)
  return new SignJWT({ session_id: id })
    .setProtectedHeader({ alg: 'ES256', kid })
    .setIssuer(`${settings.get().shop.site_url}/auth/v1`)
    .setAudience('authenticated')
    .setSubject(id)
    .setIssuedAt(now + iat)
    .setExpirationTime(now + exp)
    .sign(await importJWK(jwk, 'ES256'))
}

/** As another process of the same shop would have it. */
function openProcess(config: Config = shop.services.config) {
  const { db, settings } = shop.services
  const secrets = openSecrets({ config, db, clock })
  const keys = openSigningKeys({ db, secrets, clock })
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

test('a newer key is published, signs a minute later, and tokens of the older one stay valid for a day', async () => {
  const running = openProcess()
  const before = await running.tokens.write(grant)
  const refused = { code: 'auth.bad_jwt' }
  await rotateSigningKey({ ...shop.services, clock })
  time.ahead = 30_000
  expect((await running.keys.publicKeys()).keys).toHaveLength(2)
  expect(kidOf(await running.tokens.write(grant))).toBe(kidOf(before))
  time.ahead = 61_000
  const after = await running.tokens.write(grant)
  expect(kidOf(after)).not.toBe(kidOf(before))
  for (const token of [before, after]) {
    expect(await openProcess().tokens.read(token)).toMatchObject({ session_id: id })
    expect(await running.tokens.read(token)).toMatchObject({ session_id: id })
  }

  const long = await forge(kidOf(before), { iat: 0, exp: 3 * day })
  expect(await running.tokens.read(long)).toMatchObject({ session_id: id })
  await expect(running.tokens.read(await forge(kidOf(before), { iat: 62, exp: 900 }))).rejects.toMatchObject(
    refused,
  )
  time.ahead = day * 1000
  expect(await running.tokens.read(long)).toMatchObject({ session_id: id })
  time.ahead = day * 1000 + 61_000
  for (const each of [running, openProcess()]) {
    await expect(each.tokens.read(long)).rejects.toMatchObject(refused)
    expect((await each.keys.publicKeys()).keys).toMatchObject([{ kid: kidOf(after) }])
  }
  await shop.services.auth.sweep()
  const { rows } = await shop.services.database.pool.query('select kid from auth.signing_keys')
  expect(rows).toEqual([{ kid: kidOf(after) }])
})

test('a process with another AUTH_SECRET signs nothing and trusts no token', async () => {
  const token = await openProcess().tokens.write(grant)
  const other = openProcess({ ...shop.services.config, authSecret: 'x'.repeat(32), dataDir: '/nowhere' })
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
