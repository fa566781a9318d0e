// A primary that dies and a standby that takes its place, where Debian's PostgreSQL is installed.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { isUnavailable, openDatabase } from '#platform/db/client.ts'
import { listen } from '#platform/db/listen.ts'
import { migrateDatabase } from '#platform/db/migrate.ts'
import { bindJob, defineJob } from '#platform/job.ts'
import { createLog } from '#platform/log.ts'
import { openQueue } from '#platform/queue.ts'
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
    undo.adopt(listen(pair.url, 'news', handlers, log), (listener) => listener.close())
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
