import { expect, test } from 'vitest'
import { createTestDatabase } from '#test/database.ts'
import { openDatabase } from './db/client.ts'
import { failureReason } from './errors.ts'

test('a query that failed says why, not what it asked', async () => {
  await using created = await createTestDatabase()
  await using database = openDatabase(created.url)
  const error: unknown = await database.db.execute('select from nowhere').catch((reason: unknown) => reason)
  expect(failureReason(error)).toBe('relation "nowhere" does not exist')
})
