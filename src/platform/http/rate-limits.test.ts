// Counting hits in a shared window.
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../db/client.ts'
import { releaseLimit, consumeLimit } from './rate-limits.ts'
import { createTestDatabase } from '#test/database.ts'

const database = await createTestDatabase()
const [first, second] = [openDatabase(database.url), openDatabase(database.url)]
afterAll(async () => {
  await Promise.all([first.close(), second.close()])
  await database[Symbol.asyncDispose]()
})

const limit = { limit: 10, windowSeconds: 60 }

test('of forty hits at once from two processes exactly ten are allowed', async () => {
  const hits = Array.from({ length: 40 }, (_, n) =>
    consumeLimit((n % 2 ? first : second).db, 'at once', limit),
  )
  const allowed = (await Promise.all(hits)).filter((hit) => hit.allowed)
  expect(allowed).toHaveLength(10)
})

test('a window ends a while after its first hit, however many were refused in it', async () => {
  const start = new Date('2026-01-01T00:00:00Z')
  const hit = (seconds: number) =>
    consumeLimit(
      first.db,
      'window',
      { limit: 2, windowSeconds: 60 },
      new Date(start.getTime() + seconds * 1000),
    )
  expect(await hit(0)).toMatchObject({ allowed: true, retryAfter: 60 })
  expect(await hit(10)).toMatchObject({ allowed: true, retryAfter: 50 })
  expect(await hit(20.5)).toMatchObject({ allowed: false, retryAfter: 40 })
  expect(await hit(59.9)).toMatchObject({ allowed: false, retryAfter: 1 })
  expect(await hit(60)).toMatchObject({ allowed: true, retryAfter: 60 })
  expect(await hit(61)).toMatchObject({ allowed: true })
  expect(await hit(62)).toMatchObject({ allowed: false })
})

test('keys do not know each other', async () => {
  const one = { limit: 1, windowSeconds: 60 }
  expect((await consumeLimit(first.db, 'a', one)).allowed).toBe(true)
  expect((await consumeLimit(first.db, 'b', one)).allowed).toBe(true)
  expect((await consumeLimit(first.db, 'a', one)).allowed).toBe(false)
})

test('hits that are given back may be taken again, and never more than those', async () => {
  const three = { limit: 3, windowSeconds: 60 }
  const hit = (n: number) => consumeLimit((n % 2 ? first : second).db, 'given back', three)
  const hits = await Promise.all(Array.from({ length: 9 }, (_, n) => hit(n)))
  const allowed = hits.filter((each) => each.allowed)
  expect(allowed).toHaveLength(3)
  await Promise.all(allowed.map((each) => releaseLimit(first.db, 'given back', each)))
  const again = await Promise.all(Array.from({ length: 9 }, (_, n) => hit(n)))
  // One less: that some were refused is remembered, how many is not.
  expect(again.filter((each) => each.allowed)).toHaveLength(2)
})

test('a hit of a window that is over is not given back to the next', async () => {
  const start = new Date('2026-01-01T00:00:00Z')
  const one = { limit: 1, windowSeconds: 60 }
  const hit = (seconds: number) =>
    consumeLimit(first.db, 'late', one, new Date(start.getTime() + seconds * 1000))
  const early = await hit(0)
  expect(await hit(60)).toMatchObject({ allowed: true })
  await releaseLimit(first.db, 'late', early)
  expect(await hit(61)).toMatchObject({ allowed: false })
})
