// Going back after an upgrade: the release before starts on the data that the next one has migrated.
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ensureBuilt } from '#tools/build.ts'
import { addMigration } from '../next-migrations.ts'
import { launchShop, startShop } from '../running-shop.ts'
import { createTestDatabase } from '../database.ts'
import { buildNextVersion } from '../torture/next-version.ts'

async function sendMessage(url: string, subject: string): Promise<number> {
  const message = { name: 'Ada', email: 'ada@example.com', subject, message: 'Amen' }
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${url}/api/contact`, {
    method: 'POST',
    headers,
    body: JSON.stringify(message),
  })
  return response.status
}

test('the former release sells on migrated data, and is refused where a statement has taken away what it uses', async () => {
  ensureBuilt()
  await using database = await createTestDatabase({ empty: true })
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-former-'))
  const env = { DATABASE_URL: database.url }
  const run = async (subject: string, root?: string) => {
    await using shop = await startShop(folder.path, { env, ...(root && { root }) })
    const { status } = await fetch(shop.url)
    return [status, await sendMessage(shop.url, subject)]
  }
  const next = await buildNextVersion(folder.path, 1)
  expect(await run('before')).toEqual([200, 201])
  expect(await run('after', next)).toEqual([200, 201])
  expect(await run('back again')).toEqual([200, 201])

  const second = await buildNextVersion(folder.path, 2)
  await addMigration(join(second, 'dist/migrations'), 'contract', [
    '-- contract: unused since 99.0.0\nalter table next_1 drop column id',
  ])
  // It is older than 99.0.0 itself, and has the migration.
  expect(await run('without what is gone', second)).toEqual([200, 201])
  await using refused = launchShop(folder.path, 'http://127.0.0.1:1', { env })
  const { code, stderr } = await refused.ended
  expect(code).toBe(1)
  expect(stderr).toContain('written by a newer version of Lectern')
}, 180_000)
