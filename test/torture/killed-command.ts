// Commands of the built shop, which may be killed half-way, and the data that make them take a while.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { backupRefusals } from '#contract/refusals.ts'
import { openDatabase, type Database } from '#platform/db/client.ts'
import { createLog } from '#platform/log.ts'
import { joinEmbeddedPostgres } from '@lectern/postgres'
import { killAll, processesIn } from '../postgres-owner.ts'
import { admin } from '../running-shop.ts'
import { startProcess, type ChildProcess } from '../start-process.ts'
import type { Random } from './random.ts'

const checkout = join(import.meta.dirname, '../..')
const busyMs = 120_000

type Options = { env?: Record<string, string>; root?: string }

export function startCommand(
  dataDir: string,
  args: readonly string[],
  { env, root = checkout }: Options = {},
): ChildProcess {
  return startProcess(process.execPath, ['dist/server/lectern.js', ...args], {
    cwd: root,
    env: { DATA_DIR: dataDir, ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, ...env },
  })
}

/** Milliseconds that it took. Throws where it did not end with 0. */
export async function runCommand(dataDir: string, ...args: string[]): Promise<number> {
  const since = Date.now()
  const { code, stdout, stderr } = await startCommand(dataDir, args).ended
  if (code !== 0) throw new Error(`lectern ${args.join(' ')} ended with ${code}. ${stdout} ${stderr}`)
  return Date.now() - since
}

/** As `runCommand`; first waits for the end of a backup or rehearsal that the shop has begun by itself. */
export async function runBackup(dataDir: string): Promise<number> {
  const deadline = Date.now() + busyMs
  for (;;) {
    try {
      return await runCommand(dataDir, 'backup')
    } catch (error) {
      const [, busy] = backupRefusals['backups.busy']
      if (!String(error).includes(busy) || Date.now() > deadline) throw error
      await sleep(500)
    }
  }
}

/**
 * SIGKILL at a moment between its start and `maxMs`, half of the times together with the PostgreSQL of the data. False
 * where it had ended before.
 */
export async function killCommand(
  { dataDir, random, maxMs }: { dataDir: string; random: Random; maxMs: number },
  args: readonly string[],
  options?: Options,
): Promise<boolean> {
  const child = startCommand(dataDir, args, options)
  await sleep(random.between(0, maxMs))
  const isUnderWay = child.isRunning()
  if (random.of([true, false])) killAll(processesIn(join(dataDir, 'postgres/cluster')))
  await child.stop('SIGKILL')
  return isUnderWay
}

/** Rows that are of no account to the shop, of about a kilobyte each. */
export async function addMessages(dataDir: string, count: number): Promise<void> {
  await withDatabase(dataDir, async ({ pool }) => {
    await pool.query(
      `insert into contact_messages (id, name, email, subject, message)
       select gen_random_uuid(), 'Ruth', 'ruth@example.com', 'Hello',
         (select string_agg(md5(n::text || part::text), ' ') from generate_series(1, 30) part)
       from generate_series(1, $1) n`,
      [count],
    )
  })
}

/** The database of the data, whether their shop runs or not. */
export async function withDatabase<Result>(
  dataDir: string,
  run: (database: Database) => Promise<Result>,
): Promise<Result> {
  await using postgres = await joinEmbeddedPostgres({ dataDir, log: createLog('error') })
  await using database = openDatabase(postgres.url, { max: 2, statementMs: 120_000 })
  return await run(database)
}
