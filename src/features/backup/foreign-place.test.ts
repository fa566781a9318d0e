// A new shop beside the backups of the one whose disk died: they stay, until its author has restored them.
import { mkdtempDisposable, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { listNeeds } from '#test/needs.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { startBackupRun } from './run-backup.ts'
import { backup_runs } from './schema.ts'

const backUp = async ({ services }: TestShop) =>
  (await (
    await startBackupRun(services, { kind: 'backup', started_by: 'test' })
  ).finished)!

test('a new shop removes no backup that it has neither made nor restored, and says what to do', async () => {
  await using elsewhere = await mkdtempDisposable(join(tmpdir(), 'lectern-foreign-'))
  const options = {
    env: { BACKUP_URL: pathToFileURL(elsewhere.path).href, BACKUP_PASSPHRASE: 'in the beginning' },
    hasWorkers: false,
  }
  const list = async () => (await readdir(elsewhere.path, { recursive: true })).toSorted()
  {
    await using lost = await openTestShop(options)
    await backUp(lost)
  }
  const before = await list()
  expect(before.filter((path) => path.endsWith('.json.age'))).toHaveLength(1)

  await using shop = await openTestShop(options)
  const { services } = shop
  for (const _ of ['the first', 'once more']) {
    expect((await backUp(shop)).problems).toEqual([expect.stringContaining(elsewhere.path)])
    expect(await list()).toEqual(before)
  }
  expect((await listNeeds(await shop.person({ role: 'admin' }))).items).toMatchObject([
    {
      kind: 'backup',
      place: elsewhere.path,
      reason: expect.stringMatching(
        /backups of other data .* docs\/recovery\.md.* BACKUP_URL to a new folder/,
      ),
    },
  ])

  // As a restore records it.
  const id = '01900000-0000-7000-8000-000000000000'
  await services.db
    .insert(backup_runs)
    .values({ id, kind: 'restore', started_by: 'shell', started_at: new Date() })
  expect((await backUp(shop)).problems).toEqual([])
  expect(await list()).not.toEqual(before)
})

test('the first backup of a shop that was killed at its end does not keep the next from being made', async () => {
  await using elsewhere = await mkdtempDisposable(join(tmpdir(), 'lectern-foreign-'))
  await using shop = await openTestShop({
    env: { BACKUP_URL: pathToFileURL(elsewhere.path).href },
    hasWorkers: false,
  })
  await backUp(shop)
  await shop.services.db.update(backup_runs).set({ backup: null, finished_at: null })
  expect((await backUp(shop)).problems).toEqual([])
})
