// Rules of the job queue on real PostgreSQL.
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createTestDatabase } from '#test/database.ts'
import { openDatabase, type Database } from './db/client.ts'
import { bindJob, defineJob, openQueue } from './queue.ts'
import { createLog } from './log.ts'

const countJob = defineJob({
  name: 'test.count',
  payload: z.object({ number: z.number() }),
  run: () => Promise.resolve(),
})
const log = createLog('silent')

async function statesOf({ pool }: Database) {
  const { rows } = await pool.query<{ state: string; n: number }>(
    'select state, count(*) as n from pgboss.job group by state order by state',
  )
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]))
}

test('two processes share a burst of jobs: all are done within seconds, each once, and one that fails fails alone', async () => {
  await using place = await createTestDatabase()
  await using database = openDatabase(place.url)
  const queues = [openQueue(place.url, log), openQueue(place.url, log)]
  const done: number[][] = [[], []]
  for (const [at, queue] of queues.entries()) {
    await queue.start([bindJob(countJob, undefined)])
    await queue.work(async (_job, payload, attempt) => {
      const { number } = countJob.payload.parse(payload)
      expect(attempt).toMatchObject({ number: 1, isLast: false })
      if (number === 13) throw new Error('unlucky')
      done[at]!.push(number)
    })
  }
  await Promise.all(
    Array.from({ length: 100 }, (_, number) => queues[0]!.enqueue(database.db, countJob, { number })),
  )
  await expect.poll(() => statesOf(database)).toEqual({ completed: 99, retry: 1 })
  for (const queue of queues) await queue.stop()

  const all = done.flat().toSorted((a, b) => a - b)
  expect(all).toEqual(Array.from({ length: 100 }, (_, number) => number).filter((number) => number !== 13))
})

test('a job is seen when its transaction commits, and stays when nobody works', async () => {
  await using place = await createTestDatabase()
  await using database = openDatabase(place.url)
  const queue = openQueue(place.url, log)
  await queue.start([bindJob(countJob, undefined)])
  await database.db.transaction(async (tx) => {
    await queue.enqueue(tx, countJob, { number: 1 })
    expect(await statesOf(database)).toEqual({})
  })
  expect(await statesOf(database)).toEqual({ created: 1 })
  await queue.stop()

  const next = openQueue(place.url, log)
  await next.start([bindJob(countJob, undefined)])
  const seen = Promise.withResolvers<unknown>()
  await next.work(async (_job, payload) => seen.resolve(payload))
  expect(await seen.promise).toEqual({ number: 1 })
  await next.stop()
})

test('a start adds the queue of a job that is new to those that an earlier start has created', async () => {
  await using place = await createTestDatabase()
  await using database = openDatabase(place.url)
  const names = async () => {
    const query = `select name from pgboss.queue where name like 'test.%' order by name`
    return (await database.pool.query<{ name: string }>(query)).rows.map(({ name }) => name)
  }
  const newJob = defineJob({ ...countJob, name: 'test.new' })
  for (const jobs of [[countJob], [countJob, newJob]]) {
    const queue = openQueue(place.url, log)
    await queue.start(jobs.map((job) => bindJob(job, undefined)))
    for (const job of jobs) await queue.enqueue(database.db, job, { number: 1 })
    expect(await names()).toEqual(jobs.map(({ name }) => name))
    await queue.stop()
  }
  expect(await statesOf(database)).toEqual({ created: 3 })
})

test('a payload of another shape is not enqueued', async () => {
  await using place = await createTestDatabase()
  await using database = openDatabase(place.url)
  const queue = openQueue(place.url, log)
  await queue.start([bindJob(countJob, undefined)])
  await expect(queue.enqueue(database.db, countJob, { number: 'one' } as never)).rejects.toThrow()
  expect(await statesOf(database)).toEqual({})
  await queue.stop()
})

test('one that cannot start says why, also to those who wait for it, and stops without a word', async () => {
  await using place = await createTestDatabase()
  await using database = openDatabase(place.url)
  const queue = openQueue('postgres://127.0.0.1:1/nowhere', log)
  const waiting = queue.enqueue(database.db, countJob, { number: 1 })
  const refused = expect(waiting).rejects.toThrow('ECONNREFUSED')
  await expect(queue.start([bindJob(countJob, undefined)])).rejects.toThrow('ECONNREFUSED')
  await refused
  await queue.stop()
})
