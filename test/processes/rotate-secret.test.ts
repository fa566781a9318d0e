// The secret is rotated while shops run and users are signed in; backups from before it still restore.
import { mkdtempDisposable, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { isSecretOf, rotateSecret } from '#domains/accounts/secrets.ts'
import { unseal, readSettingSecrets, saveSettingSecret } from '#platform/secrets.ts'
import { settings } from '#tables/platform.ts'
import { openDatabase } from '#platform/db/client.ts'
import { prepareSecret, secretFrom } from '#platform/secret.ts'
import { ensureBuilt } from '#tools/build.ts'
import { untilWaiting } from '../lock-waiters.ts'
import { admin } from '../running-shop.ts'
import { codeOf } from '../second-factor.ts'
import { addUser, factorsAndSessions, first, openTarget, second } from '../secret-place.ts'

beforeAll(() => ensureBuilt())

const author = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password }
const both = { AUTH_SECRET: second, OLD_AUTH_SECRET: first }

async function post(url: string, path: string, body: object, token?: string) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, body: (await response.json()) as Record<string, string> }
}

const signIn = async (url: string) => (await post(url, '/auth/v1/token?grant_type=password', admin)).body
const renew = (url: string, refresh_token = '') =>
  post(url, '/auth/v1/token?grant_type=refresh_token', { refresh_token })
const meAt = async (url: string, token = '') =>
  (await fetch(`${url}/api/me`, { headers: { authorization: `Bearer ${token}` } })).status

/** Of the factor `id`, with the code of the next half minute where this one's is used up. */
async function giveCode(
  url: string,
  token: string,
  { id, secret }: { id: string; secret: string },
  ahead = 0,
) {
  const path = `/auth/v1/factors/${id}`
  const { id: challenge_id } = (await post(url, `${path}/challenge`, {}, token)).body
  const code = codeOf(secret, new Date(Date.now() + ahead))
  return post(url, `${path}/verify`, { challenge_id, code }, token)
}

test('AUTH_SECRET of two running shops is rotated while their author is signed in', async () => {
  await using place = await openTarget()
  const [a, b] = await Promise.all([1, 2].map(() => place.startShop({ AUTH_SECRET: first, ...author })))
  const { access_token = '' } = await signIn(a!.url)
  const enrolled = (await post(a!.url, '/auth/v1/factors', { factor_type: 'totp' }, access_token)).body
  const { totp } = enrolled as unknown as { totp: { secret: string } }
  const factor = { id: enrolled['id']!, secret: totp.secret }
  const session = (await giveCode(a!.url, access_token, factor)).body

  expect(await place.rotate(both)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('2 running processes of the shop do not have the new secret'),
  })
  const c = await place.startShop({ ...both, ...author })
  await a!.stop()
  expect([await meAt(b!.url, session['access_token']), await meAt(c.url, session['access_token'])]).toEqual([
    200, 200,
  ])
  const d = await place.startShop({ ...both, ...author })
  await b!.stop()

  const holder = await place.pool.connect()
  await holder.query('begin')
  await holder.query('select from auth.mfa_factors for update')
  const killed = place.command(both, 'admin', 'rotate-secret')
  await untilWaiting(place, 1)
  await killed.stop('SIGKILL')
  await holder.query('rollback')
  holder.release()
  expect(await isSecretOf(place.db, secretFrom(first))).toBe(true)

  expect(await place.rotate(both)).toMatchObject({ code: 0, stderr: '' })
  expect(await isSecretOf(place.db, secretFrom(second))).toBe(true)
  const e = await place.startShop({ AUTH_SECRET: second })
  for (const { url } of [c, d, e]) expect(await meAt(url, session['access_token'])).toBe(200)
  const renewed = await renew(d.url, session['refresh_token'])
  expect(renewed.status).toBe(200)
  const again = await signIn(c.url)
  expect((await giveCode(e.url, again['access_token']!, factor, 30_000)).status).toBe(200)
  expect((await renew(e.url, renewed.body['refresh_token'])).status).toBe(200)
})

test('a secret in DATA_DIR is rotated while the shop runs, also when that was interrupted', async () => {
  await using place = await openTarget()
  const read = async () => (await readFile(join(place.folder, 'secret'), 'utf8')).trim()
  const shop = await place.startShop(author)
  const old = await read()
  const { access_token, refresh_token } = await signIn(shop.url)
  expect(await place.rotate({})).toMatchObject({ code: 0, stdout: expect.stringContaining('Sessions go on') })
  const made = await read()
  expect(await isSecretOf(place.db, secretFrom(made))).toBe(true)
  expect(await meAt(shop.url, access_token)).toBe(200)

  // Killed after the database had taken it.
  const next = prepareSecret(place.folder)
  await rotateSecret(place.db, { from: secretFrom(made), to: next }, new Date())
  await shop.stop()
  const again = await place.startShop({})
  expect(await meAt(again.url, access_token)).toBe(200)
  expect((await renew(again.url, refresh_token)).status).toBe(200)
  expect(await place.rotate({})).toMatchObject({ code: 0, stdout: 'The new secret is in force.\n' })
  expect(await read()).toBe(next.text)
  const earlier = [old, made].map((text) => `secret.${secretFrom(text).fingerprint.toString('hex', 0, 8)}`)
  expect((await readdir(place.folder)).filter((name) => name.startsWith('secret')).toSorted()).toEqual(
    ['secret', ...earlier].toSorted(),
  )

  expect((await place.rotate({}, '--at-once')).stderr).toContain('(1 sessions end).\nNothing was changed.')
  expect(await readdir(place.folder)).not.toContain('secret.next')
  // Left by a change that was interrupted, and perhaps leaked since.
  const left = prepareSecret(place.folder)
  expect((await place.rotate({}, '--at-once', '--yes')).code).toBe(0)
  expect([next.text, left.text]).not.toContain(await read())
  expect(await meAt(again.url, access_token)).toBe(401)
})

test('a backup from before a rotation is restored under the new secret', async () => {
  await using place = await openTarget()
  await using backups = await mkdtempDisposable(join(tmpdir(), 'lectern-backups-'))
  const places = { BACKUP_URL: `file://${backups.path}`, BACKUP_PASSPHRASE: 'correct horse battery' }
  const run = (env: object, ...args: string[]) => place.command({ ...places, ...env }, ...args).ended
  // A database that is replaced must have no connections.
  await addAndDisconnect()
  async function addAndDisconnect() {
    await using database = openDatabase(place.url)
    await addUser(database, first)
    const by = 'author@books.example'
    const fields = { time_zone: 'Asia/Tokyo' }
    await database.db.insert(settings).values({ name: 'shop', fields, revision: 3, changed_by: by })
    const secret = { name: 'mail.password', text: 'of the mail server', set_at: new Date(), set_by: by }
    await database.db.transaction((tx) => saveSettingSecret(tx, secretFrom(first), secret))
  }
  expect(await run({ AUTH_SECRET: first }, 'backup')).toMatchObject({ code: 0 })
  expect(await run(both, 'admin', 'rotate-secret')).toMatchObject({ code: 0 })
  const restored = await run({ AUTH_SECRET: second }, 'restore', backups.path, '--yes')
  expect(restored).toMatchObject({ code: 0, stderr: '' })
  expect(await isSecretOf(place.db, secretFrom(second))).toBe(true)
  const { factors } = await factorsAndSessions(place)
  expect(unseal(secretFrom(second).key('second factors'), factors![0]!)).toBe('JBSWY3DPEHPK3PXP')
  expect(await readdir(place.folder)).not.toContain('secret')
  expect(await place.db.select().from(settings)).toMatchObject([
    { name: 'shop', fields: { time_zone: 'Asia/Tokyo' }, revision: 3 },
  ])
  const secrets = { find: () => secretFrom(second) }
  const opened = await place.db.transaction((tx) => readSettingSecrets(tx, secrets))
  expect(opened.get('mail.password')?.text).toBe('of the mail server')
})
