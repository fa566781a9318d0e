// One database, one secret: processes with another do not start, and only the shell's command changes it.
import { randomUUID } from 'node:crypto'
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../database.ts'
import { isSecretOf } from '#features/accounts/change-secret.ts'
import { seal, unseal } from '#features/accounts/seal.ts'
import { claimSecret } from '#features/accounts/secret-fingerprint.ts'
import { openDatabase } from '#platform/db/client.ts'
import { secretFrom } from '#platform/secret.ts'
import { ensureBuilt } from '#tools/build.ts'
import { findFreePort } from '../find-free-port.ts'
import { startProcess, untilReady } from '../start-process.ts'

const root = join(import.meta.dirname, '../..')
const [first, second] = ['first secret', 'second secret'].map((words) => words.padEnd(32, '.')) as [
  string,
  string,
]
beforeAll(() => ensureBuilt())

const refusal =
  'This database belongs to another AUTH_SECRET (or DATA_DIR/secret): put that one back, or give it up with "lectern admin new-secret".\n'

/** A database whose tables are not made yet, and what runs on it. */
async function openPlace({ empty = false } = {}) {
  await using undo = new AsyncDisposableStack()
  const { url } = undo.use(await createTestDatabase({ empty }))
  const folder = await mkdtempDisposable(join(tmpdir(), 'lectern-secret-'))
  undo.defer(() => folder.remove())
  const database = undo.use(openDatabase(url))
  const stack = undo.move()

  function start(script: string[], env: Record<string, string>) {
    const settings = { DATABASE_URL: url, DATA_DIR: folder.path, NODE_ENV: 'production' }
    return startProcess(process.execPath, script, { cwd: root, env: { ...settings, ...env } })
  }

  /** Resolves when the shop responds or has ended. */
  async function startShop(env: Record<string, string>) {
    const port = await findFreePort()
    const shop = start(['src/main.ts'], { PORT: String(port), ...env })
    await untilReady(`http://localhost:${port}/api/health`, shop).catch(() => undefined)
    return shop
  }

  const newSecret = (env: Record<string, string>, ...args: string[]) =>
    start(['src/commands/admin.ts', 'new-secret', ...args], env).ended

  return {
    ...database,
    folder: folder.path,
    startShop,
    newSecret,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

type Place = Awaited<ReturnType<typeof openPlace>>

/** A user with a session and a second factor that was sealed with `secret`. */
async function addUser({ pool }: Place, secret: string) {
  const [user, sealed] = [randomUUID(), seal(secretFrom(secret).key('second factors'), 'JBSWY3DPEHPK3PXP')]
  await pool.query('insert into auth.users (id, email) values ($1, $2)', [user, `${user}@example.com`])
  await pool.query(
    `insert into auth.mfa_factors (id, user_id, status, secret) values ($1, $1, 'verified', $2)`,
    [user, sealed],
  )
  await pool.query(
    `insert into auth.sessions (id, user_id, salt, not_after, proved_at)
      values ($1, $1, 'salt', now() + interval '1 day', now())`,
    [user],
  )
}

async function factorsAndSessions({ pool }: Place) {
  const { rows } = await pool.query<{ factors: Buffer[] | null; sessions: number }>(`
    select (select array_agg(secret) from auth.mfa_factors) as factors,
      (select count(*) from auth.sessions where revoked_at is null) as sessions`)
  return rows[0]!
}

test('of two shops that start at once with different secrets on one empty database, one refuses', async () => {
  await using place = await openPlace({ empty: true })
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

test('the shell gives a shop another secret when it is told to, and keeps what the old one opens', async () => {
  await using place = await openPlace()
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
  await using place = await openPlace()
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
    await using place = await openPlace()
    await fill(place)
    await expect(claimSecret(place.db, secretFrom(second))).rejects.toThrow(refusal.trim())
    await claimSecret(place.db, secretFrom(first))
    expect(await isSecretOf(place.db, secretFrom(first))).toBe(true)
  }
})

test('a secret in DATA_DIR is replaced by a new one, also when that was interrupted', async () => {
  await using place = await openPlace()
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
