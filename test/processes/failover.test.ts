// A primary that dies and a standby that takes its place, where Debian's PostgreSQL is installed.
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openPlaceAt } from '#domains/backup/backup-targets.ts'
import { createBackup } from '#domains/backup/create-backup.ts'
import { restore } from '#domains/backup/restore.ts'
import { isUnavailable, openDatabase, type Database } from '#platform/db/client.ts'
import { listen } from '#platform/db/listen.ts'
import { migrateDatabase } from '#platform/db/migrate.ts'
import { bindJob, defineJob, openQueue } from '#platform/queue.ts'
import { createLog } from '#platform/log.ts'
import { openStorageAt } from '#platform/open-storage.ts'
import { hasDebianPostgres } from '../debian-postgres.ts'
import { openPostgresPair } from '../postgres-pair.ts'

const job = defineJob({
  name: 'test.after-failover',
  payload: z.object({ number: z.number() }),
  run: () => Promise.resolve(),
})

test.skipIf(!hasDebianPostgres)(
  'when a standby takes the place of its primary, queries, jobs and messages go there',
  async () => {
    await using pair = await openPostgresPair()
    await using database = openDatabase(pair.url)
    await migrateDatabase(database)
    const log = createLog('silent')
    const done: number[] = []
    const heard: string[] = []
    await using undo = new AsyncDisposableStack()
    const queue = undo.adopt(openQueue(pair.url, log), (open) => open.stop())
    await queue.start([bindJob(job, undefined)])
    await queue.work(async (_job, payload) => void done.push(job.payload.parse(payload).number))
    const handlers = {
      onMessage: (payload: string) => heard.push(payload),
      onConnect: () => heard.push('on'),
    }
    undo.adopt(
      listen({ url: pair.url, channels: ['news'], application_name: 'news' }, handlers, log),
      (listener) => listener.close(),
    )
    await queue.enqueue(database.db, job, { number: 1 })
    await expect.poll(() => [done, heard]).toEqual([[1], ['on']])
    await pair.follow()

    pair.killPrimary()
    await expect(database.pool.query('select 1')).rejects.toSatisfy(isUnavailable)
    await pair.promote()
    const retry = { timeout: 15_000, interval: 100 }
    await expect
      .poll(
        () =>
          queue.enqueue(database.db, job, { number: 2 }).then(
            () => true,
            () => false,
          ),
        retry,
      )
      .toBe(true)
    await expect.poll(() => done, retry).toContain(2)
    await expect.poll(() => heard, retry).toEqual(['on', 'on'])
    await database.pool.query(`select pg_notify('news', 'sold')`)
    await expect.poll(() => heard).toEqual(['on', 'on', 'sold'])
  },
)

test.skipIf(!hasDebianPostgres)(
  'a backup and a restore find the host that accepts writes, also after a failover',
  async () => {
    await using pair = await openPostgresPair()
    await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-failover-'))
    const storage = openStorageAt(pathToFileURL(join(folder.path, 'files')).href)
    const store = await openPlaceAt(pathToFileURL(join(folder.path, 'backups')).href, {}).open()
    const source = {
      databaseUrl: pair.url,
      storage,
      version: '1.2.3',
      tmpDir: folder.path,
      secretOf: () => 'x',
    }
    await withPool(pair.url, async (pool) => {
      await migrateDatabase({ url: pair.url, pool })
      await pool.query(`insert into profiles (user_id, email) values (gen_random_uuid(), 'ruth@example.com')`)
    })
    await pair.follow()
    const { manifest } = await createBackup(source, [store])
    expect(manifest.sums).toMatchObject({ users: 1 })
    await withPool(pair.url, (pool) => pool.query('delete from profiles'))

    pair.killPrimary()
    await pair.promote()
    const isPromoted = () =>
      withPool(pair.url, (pool) => pool.query('select 1')).then(
        () => true,
        () => false,
      )
    await expect.poll(isPromoted, { timeout: 15_000 }).toBe(true)
    const target = { databaseUrl: pair.url, storage, clock: () => new Date() }
    const { old } = await restore(target, store, manifest)
    const countUsers = async (url: string) => {
      const count = z.array(z.object({ count: z.number() }))
      const { rows } = await withPool(url, (pool) => pool.query('select count(*) from profiles'))
      return count.parse(rows)[0]?.count
    }
    expect(await countUsers(pair.url)).toBe(1)
    expect(await countUsers(pair.url.replace('/postgres?', `/${old}?`))).toBe(0)
    expect((await createBackup(source, [store])).manifest.sums).toEqual(manifest.sums)
  },
)

async function withPool<Result>(url: string, work: (pool: Database['pool']) => Promise<Result>) {
  await using database = openDatabase(url)
  return await work(database.pool)
}
