// One database, one secret: processes with another do not start, and a command changes it while the shop is stopped.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { isSecretOf, claimSecret } from '#domains/accounts/secrets.ts'
import { seal, unseal } from '#platform/secrets.ts'
import { secretFrom } from '#platform/secret.ts'
import { ensureBuilt } from '#tools/build.ts'
import { addUser, factorsAndSessions, first, openTarget, second, type Place } from '../secret-place.ts'

beforeAll(() => ensureBuilt())

const refusal =
  'This database belongs to another AUTH_SECRET (or DATA_DIR/secret): put that one back, or give it up with "lectern admin new-secret".\n'

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
  const shop = await place.startShop({ AUTH_SECRET: first })
  await addUser(place, first)
  const [both, wrongOld] = [
    { AUTH_SECRET: second, OLD_AUTH_SECRET: first },
    { AUTH_SECRET: second, OLD_AUTH_SECRET: 'neither' },
  ]
  expect(await place.newSecret(both, '--yes')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The shop is running: stop it first'),
  })
  await shop.stop()

  const asked = await place.newSecret(both)
  expect(asked).toMatchObject({ code: 1, stderr: expect.stringContaining('(1 sessions end)') })
  expect(asked.stderr).toContain('1 second factors stay.\nNothing was changed. Run it again with --yes')
  expect((await place.newSecret(wrongOld, '--yes')).stderr).toBe(
    'OLD_AUTH_SECRET is not the secret that this shop has.\n',
  )
  expect(await isSecretOf(place.db, secretFrom(first))).toBe(true)

  expect((await place.newSecret(both, '--yes')).code).toBe(0)
  const { factors, sessions } = await factorsAndSessions(place)
  expect(sessions).toBe(0)
  expect(unseal(secretFrom(second).key('second factors'), factors![0]!)).toBe('JBSWY3DPEHPK3PXP')
  expect((await place.newSecret(both, '--yes')).stderr).toContain('has already')
  const old = await place.startShop({ AUTH_SECRET: first })
  expect((await old.ended).stderr).toBe(refusal)
})

test('a lost secret is given up with the second factors that only it could open', async () => {
  await using place = await openTarget()
  const shop = await place.startShop({ AUTH_SECRET: first })
  await shop.stop()
  await addUser(place, first)
  expect((await place.newSecret({})).stderr).toContain('1 second factors are removed')
  expect((await place.newSecret({}, '--yes')).code).toBe(0)
  expect(await factorsAndSessions(place)).toEqual({ factors: null, sessions: 0 })
  const { rows } = await place.pool.query('select event, detail from auth.audit_log')
  expect(rows).toMatchObject([{ event: 'factor_removed', detail: { reason: 'new secret' } }])
})

test('a database from before the fingerprint is claimed only by a secret that opens what is in it', async () => {
  const addKey = ({ pool }: Place) =>
    pool.query(`insert into auth.signing_keys (kid, public_jwk, private_jwk) values ('first', '{}', $1)`, [
      seal(secretFrom(first).key('signing keys'), '{}'),
    ])
  for (const fill of [addKey, (place: Place) => addUser(place, first)]) {
    await using place = await openTarget()
    await fill(place)
    await expect(claimSecret(place.db, [secretFrom(second)])).rejects.toThrow(refusal.trim())
    await claimSecret(place.db, [secretFrom(first)])
    expect(await isSecretOf(place.db, secretFrom(first))).toBe(true)
  }
})

test('a secret in DATA_DIR is replaced by a new one, also when that was interrupted', async () => {
  await using place = await openTarget()
  const read = async () => (await readFile(join(place.folder, 'secret'), 'utf8')).trim()
  const shop = await place.startShop({})
  await shop.stop()
  const old = await read()
  await addUser(place, old)
  expect((await place.newSecret({}, '--yes')).code).toBe(0)
  const made = await read()
  expect(made).not.toBe(old)
  expect(await isSecretOf(place.db, secretFrom(made))).toBe(true)
  expect((await factorsAndSessions(place)).factors).toHaveLength(1)

  await writeFile(join(place.folder, 'secret'), old)
  await writeFile(join(place.folder, 'secret.next'), made)
  expect(await place.newSecret({})).toMatchObject({ code: 0, stdout: 'The new secret is in force.\n' })
  expect(await read()).toBe(made)
})

test('lectern check makes nothing in DATA_DIR', async () => {
  await using place = await openTarget()
  const { stdout } = await place.command({ SITE_URL: 'http://localhost:9' }, 'check').ended
  expect(stdout).toContain('wrong  Address: http://localhost:9 cannot be reached')
  expect(await readdir(place.folder)).toEqual([])
})
