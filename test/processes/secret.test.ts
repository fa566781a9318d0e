// One database, one secret: processes with another do not start, and a command changes it while the shop is stopped.
import { mkdtempDisposable, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { findFingerprint, unseal } from '#platform/secrets.ts'
import { openDatabase } from '#platform/db/client.ts'
import { readSettingSecrets, saveSettingSecret } from '#platform/setting-secrets.ts'
import { secretFrom } from '#platform/secret.ts'
import { setting_secrets, settings } from '#tables/platform.ts'
import { ensureBuilt } from '#tools/build.ts'
import { untilWaiting } from '../lock-waiters.ts'
import { admin } from '../running-shop.ts'
import { codeOf } from '../second-factor.ts'
import { addUser, factorsAndSessions, first, openTarget, second, type Place } from '../secret-place.ts'

beforeAll(() => ensureBuilt())

const refusal =
  'This database belongs to another AUTH_SECRET (or DATA_DIR/secret): put that one back, or give it up with "lectern admin new-secret".\n'
const author = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password }
const both = { AUTH_SECRET: second, OLD_AUTH_SECRET: first }
const mailPassword = {
  name: 'mail.password',
  text: 'of the mail server',
  set_at: new Date(),
  set_by: 'author@books.example',
}

async function sealedSettings({ db }: Place): Promise<string[]> {
  const rows = await db.select().from(setting_secrets)
  return rows.map(({ sealed }) => sealed.toString('latin1'))
}

async function post(url: string, path: string, body: object, token?: string) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, body: (await response.json()) as Record<string, string> }
}

const signIn = (url: string) => post(url, '/auth/v1/token?grant_type=password', admin)
const renew = (url: string, refresh_token = '') =>
  post(url, '/auth/v1/token?grant_type=refresh_token', { refresh_token })
const meAt = async (url: string, token = '') =>
  (await fetch(`${url}/api/me`, { headers: { authorization: `Bearer ${token}` } })).status

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

test('of two shops that start at once with different secrets on one empty database, one refuses', async () => {
  await using place = await openTarget({ empty: true })
  const shops = await Promise.all([first, second].map((AUTH_SECRET) => place.startShop({ AUTH_SECRET })))
  const refused = shops.filter((shop) => !shop.isRunning())
  const open = shops.filter((shop) => shop.isRunning())
  expect([refused.length, open.length]).toEqual([1, 1])
  expect(await refused[0]!.ended).toMatchObject({ code: 1, stderr: refusal })

  const winner = shops.indexOf(open[0]!) === 0 ? first : second
  const again = await place.startShop({ AUTH_SECRET: winner })
  expect(again.isRunning()).toBe(true)
  for (const shop of [...open, again]) {
    expect(await shop.stop()).toMatchObject({ code: 0, stderr: '' })
  }
})

test('a stopped shop gets another secret after a confirmation, and keeps what the old one opens', async () => {
  await using place = await openTarget()
  const shop = await place.startShop({ AUTH_SECRET: first, ...author })
  const { access_token = '', refresh_token = '' } = (await signIn(shop.url)).body
  const enrolled = (await post(shop.url, '/auth/v1/factors', { factor_type: 'totp' }, access_token)).body
  const { totp } = z.object({ totp: z.object({ secret: z.string() }) }).parse(enrolled)
  const factor = { id: enrolled['id'] ?? '', secret: totp.secret }
  const session = (await giveCode(shop.url, access_token, factor)).body
  await place.db.transaction((tx) => saveSettingSecret(tx, secretFrom(first), mailPassword))
  expect(await place.newSecret(both, '--yes')).toMatchObject({
    code: 1,
    stderr: 'The shop is running: stop it first, all its processes. Nothing was changed.\n',
  })
  await shop.stop()

  const asked = await place.newSecret(both)
  expect(asked).toMatchObject({ code: 1, stderr: expect.stringContaining('(1 sessions end)') })
  expect(asked.stderr).toContain(
    '1 second factors and 1 passwords and keys of the settings stay.\nNothing was changed. Run it again with --yes',
  )
  const wrongOld = { AUTH_SECRET: second, OLD_AUTH_SECRET: 'neither' }
  expect((await place.newSecret(wrongOld, '--yes')).stderr).toBe(
    'OLD_AUTH_SECRET is not the secret that this shop has.\n',
  )
  expect(await findFingerprint(place.db)).toEqual(secretFrom(first).fingerprint)
  // Not changed yet: the shop goes on with the one that the database has.
  const waiting = await place.startShop(both)
  expect(await meAt(waiting.url, session['access_token'])).toBe(200)
  expect((await waiting.stop()).stdout).toContain('AUTH_SECRET is not in force yet')

  const before = await sealedSettings(place)
  expect((await place.newSecret(both, '--yes')).code).toBe(0)
  expect((await place.newSecret(both, '--yes')).stderr).toContain('has already')
  const old = await place.startShop({ AUTH_SECRET: first })
  expect((await old.ended).stderr).toBe(refusal)

  const [again, other] = await Promise.all([1, 2].map(() => place.startShop({ AUTH_SECRET: second })))
  if (!again || !other) throw new Error('two shops were started')
  for (const token of [access_token, session['access_token']]) expect(await meAt(again.url, token)).toBe(401)
  for (const token of [refresh_token, session['refresh_token']])
    expect((await renew(again.url, token)).status).toBe(400)
  const { body } = await signIn(again.url)
  // The code of the next half minute, since this one's is used up.
  const proved = await giveCode(again.url, body['access_token'] ?? '', factor, 30_000)
  for (const { url } of [again, other]) expect(await meAt(url, proved.body['access_token'])).toBe(200)
  const stored = await place.db.transaction((tx) => readSettingSecrets(tx, secretFrom(second)))
  expect(stored.get('mail.password')?.text).toBe(mailPassword.text)
  expect(before).not.toEqual(await sealedSettings(place))
  expect(before.join('')).not.toContain(mailPassword.text)
})

test('a lost secret is given up with what only it could open, which the command names', async () => {
  await using place = await openTarget()
  const shop = await place.startShop({ AUTH_SECRET: first })
  await shop.stop()
  await addUser(place, first)
  await place.db.transaction((tx) => saveSettingSecret(tx, secretFrom(first), mailPassword))
  const { stderr } = await place.newSecret({})
  expect(stderr).toMatch(/1 second factors are removed: .* accounts of \S+@example\.com\./)
  expect(stderr).toContain('have to be entered again: mail.password.')
  expect((await place.newSecret({}, '--yes')).code).toBe(0)
  expect(await factorsAndSessions(place)).toEqual({ factors: null, sessions: 0 })
  expect(await sealedSettings(place)).toEqual([])
  const { rows } = await place.pool.query('select event, detail from auth.audit_log')
  expect(rows).toMatchObject([{ event: 'factor_removed', detail: { reason: 'new secret' } }])
})

test('a secret in DATA_DIR is replaced by a new one, also when that was killed at any point', async () => {
  await using place = await openTarget()
  const { pool, db } = place
  const read = async () => (await readFile(join(place.folder, 'secret'), 'utf8')).trim()
  const opens = async (text: string) => {
    const shop = await place.startShop({})
    expect((await shop.stop()).code).toBe(0)
    expect([await read(), await findFingerprint(db)]).toEqual([text, secretFrom(text).fingerprint])
    const { factors } = await factorsAndSessions(place)
    expect(unseal(secretFrom(text).key('second factors'), factors![0]!)).toBe('JBSWY3DPEHPK3PXP')
  }
  await (await place.startShop({})).stop()
  const old = await read()
  await addUser(place, old)

  // Before the file is written.
  const holder = await pool.connect()
  await holder.query('begin')
  await holder.query('select from auth.mfa_factors for update')
  const early = place.command({}, 'admin', 'new-secret', '--yes')
  await untilWaiting(place, 1)
  await early.stop('SIGKILL')
  await holder.query('rollback')
  await opens(old)

  // Between the file and the commit, which waits for a lock: the database takes it back, or finishes it.
  await pool.query(`
    create function wait_at_commit() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock(38); return null; end $$`)
  await pool.query(`
    create constraint trigger wait_at_commit after update on auth.secret_fingerprint
      deferrable initially deferred for each row execute function wait_at_commit()`)
  let newest = old
  for (const isTaken of [false, true]) {
    await holder.query('select pg_advisory_lock(38)')
    const command = place.command({}, 'admin', 'new-secret', '--yes')
    await untilWaiting(place, 1)
    const written = await read()
    expect(written).not.toBe(newest)
    await command.stop('SIGKILL')
    if (!isTaken)
      await pool.query(
        `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and not granted`,
      )
    await holder.query('select pg_advisory_unlock(38)')
    if (isTaken) newest = written
    await opens(newest)
  }
  holder.release()
  expect((await place.newSecret({}, '--yes')).code).toBe(0)
  await opens(await read())
  const earlier = [old, newest].map((text) => `secret.${secretFrom(text).fingerprint.toString('hex', 0, 8)}`)
  expect(await readdir(place.folder)).toEqual(expect.arrayContaining(['secret', ...earlier]))
})

test('a shop that starts while the secret is changed refuses, and the change stays', async () => {
  await using place = await openTarget()
  await (await place.startShop({ AUTH_SECRET: first })).stop()
  await addUser(place, first)
  const holder = await place.pool.connect()
  await holder.query('begin')
  await holder.query('select from auth.mfa_factors for update')
  const change = place.newSecret(both, '--yes')
  await untilWaiting(place, 1)
  const shop = place.startShop({ AUTH_SECRET: first })
  // Its last step waits for the command.
  await untilWaiting(place, 2)
  await holder.query('rollback')
  holder.release()
  expect(await change).toMatchObject({ code: 0 })
  expect((await (await shop).ended).stderr).toBe(refusal)
  expect(await findFingerprint(place.db)).toEqual(secretFrom(second).fingerprint)
})

test('a backup from before a change of the secret is restored under the new one', async () => {
  await using place = await openTarget()
  await using backups = await mkdtempDisposable(join(tmpdir(), 'lectern-backups-'))
  const places = { BACKUP_URL: `file://${backups.path}`, BACKUP_PASSPHRASE: 'correct horse battery' }
  const run = (env: object, ...args: string[]) => place.command({ ...places, ...env }, ...args).ended
  // A database that is replaced must have no connections.
  await addAndDisconnect()
  async function addAndDisconnect() {
    await using database = openDatabase(place.url)
    await addUser(database, first)
    const fields = { time_zone: 'Asia/Tokyo' }
    await database.db.insert(settings).values({ name: 'shop', fields, revision: 3, changed_by: 'author' })
    await database.db.transaction((tx) => saveSettingSecret(tx, secretFrom(first), mailPassword))
  }
  expect(await run({ AUTH_SECRET: first }, 'backup')).toMatchObject({ code: 0 })
  expect(await run(both, 'admin', 'new-secret', '--yes')).toMatchObject({ code: 0 })
  const restored = await run({ AUTH_SECRET: second }, 'restore', backups.path, '--yes')
  expect(restored).toMatchObject({ code: 0, stderr: '' })
  expect(await findFingerprint(place.db)).toEqual(secretFrom(second).fingerprint)
  const { factors } = await factorsAndSessions(place)
  expect(unseal(secretFrom(second).key('second factors'), factors![0]!)).toBe('JBSWY3DPEHPK3PXP')
  expect(await readdir(place.folder)).not.toContain('secret')
  expect(await place.db.select().from(settings)).toMatchObject([
    { name: 'shop', fields: { time_zone: 'Asia/Tokyo' }, revision: 3 },
  ])
  const opened = await place.db.transaction((tx) => readSettingSecrets(tx, secretFrom(second)))
  expect(opened.get('mail.password')?.text).toBe(mailPassword.text)
})

test('a restore says before it begins that the secret is missing, and makes none', async () => {
  await using place = await openTarget()
  await addAndDisconnect()
  async function addAndDisconnect() {
    await using database = openDatabase(place.url)
    await addUser(database, first)
  }
  expect(await place.command({ AUTH_SECRET: first }, 'backup').ended).toMatchObject({ code: 0 })
  const backups = join(place.folder, 'backups')
  const missing = 'The secret of these data is not here, and the shop does not start without it'
  const restore = (env: Record<string, string>, ...args: string[]) =>
    place.command(env, 'restore', backups, ...args).ended
  const asked = await restore({})
  expect(asked).toMatchObject({ code: 1, stdout: expect.stringContaining(missing) })
  expect((await restore({ AUTH_SECRET: first })).stdout).not.toContain(missing)
  const restored = await restore({}, '--yes')
  expect(restored).toMatchObject({ code: 0, stderr: '' })
  expect(restored.stdout.split(missing)).toHaveLength(3)
  expect(await readdir(place.folder)).not.toContain('secret')
  await writeFile(join(place.folder, 'secret'), `${first}\n`)
  const shop = await place.startShop({})
  expect(shop.isRunning()).toBe(true)
})

test('lectern check makes nothing in DATA_DIR', async () => {
  await using place = await openTarget()
  const { stdout } = await place.command({ SITE_URL: 'http://localhost:9' }, 'check').ended
  expect(stdout).toMatch(
    /wrong {2}Address: http:\/\/localhost:9 opens on this computer only; .*cannot be reached/,
  )
  expect(await readdir(place.folder)).toEqual([])
})
