// A database, a folder and the built shop's programs on both, for tests of the secret.
import { randomUUID } from 'node:crypto'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seal } from '#platform/secrets.ts'
import { openDatabase } from '#platform/db/client.ts'
import { secretFrom } from '#platform/secret.ts'
import { createTestDatabase } from './database.ts'
import { findFreePort } from './find-free-port.ts'
import { startProcess, untilReady } from './start-process.ts'

const root = join(import.meta.dirname, '..')
export const [first, second] = ['first secret', 'second secret'].map((words) => words.padEnd(32, '.')) as [
  string,
  string,
]
/** A database whose tables are not made yet, and what runs on it. */
export async function openTarget({ empty = false } = {}) {
  await using opening = new AsyncDisposableStack()
  const { url } = opening.use(await createTestDatabase({ empty }))
  const folder = await mkdtempDisposable(join(tmpdir(), 'lectern-secret-'))
  opening.defer(() => folder.remove())
  const database = opening.use(openDatabase(url))
  const undo = opening.move()

  function start(script: string[], env: Record<string, string>) {
    const settings = { DATABASE_URL: url, DATA_DIR: folder.path, NODE_ENV: 'production' }
    return undo.use(startProcess(process.execPath, script, { cwd: root, env: { ...settings, ...env } }))
  }

  /** Resolves when the shop responds or has ended. */
  async function startShop(env: Record<string, string>) {
    const port = await findFreePort()
    const url = `http://localhost:${port}`
    const shop = start(['dist/server/main.js'], { PORT: String(port), SITE_URL: 'http://localhost', ...env })
    await untilReady(`${url}/api/health`, shop).catch(() => undefined)
    return Object.assign(shop, { url })
  }

  const command = (env: Record<string, string>, ...args: string[]) =>
    start(['dist/server/lectern.js', ...args], env)
  const newSecret = (env: Record<string, string>, ...args: string[]) =>
    command(env, 'admin', 'new-secret', ...args).ended

  return {
    ...database,
    folder: folder.path,
    startShop,
    command,
    newSecret,
    [Symbol.asyncDispose]: () => undo.disposeAsync(),
  }
}

export type Place = Awaited<ReturnType<typeof openTarget>>

/** A user with a session and a second factor that was sealed with `secret`. */
export async function addUser({ pool }: Pick<Place, 'pool'>, secret: string) {
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

export async function factorsAndSessions({ pool }: Place) {
  const { rows } = await pool.query<{ factors: Buffer[] | null; sessions: number }>(`
    select (select array_agg(secret) from auth.mfa_factors) as factors,
      (select count(*) from auth.sessions where revoked_at is null) as sessions`)
  return rows[0]!
}
