// A new shop beside the backups of the one whose disk died: they stay, until its author has restored them.
import { mkdtempDisposable, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { listAttentionItems } from '#test/needs.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { createBackup, shopSource } from './create-backup.ts'
import { startBackupRun } from './run-backup.ts'
import { backup_runs } from '#tables/operations.ts'

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
  expect((await listAttentionItems(await shop.person({ role: 'admin' }))).items).toMatchObject([
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

test('a new database removes none of the backups that another one has left in DATA_DIR', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-foreign-'))
  const options = { env: { DATA_DIR: folder.path }, hasWorkers: false }
  const list = async () => (await readdir(join(folder.path, 'backups'), { recursive: true })).toSorted()
  {
    await using lost = await openTestShop(options)
    for (const _ of [1, 2, 3]) expect((await backUp(lost)).problems).toEqual([])
  }
  const before = await list()
  expect(before.filter((path) => path.endsWith('.json'))).toHaveLength(3)

  await using shop = await openTestShop(options)
  const { finished } = await startBackupRun(shop.services, { kind: 'backup', started_by: 'test' })
  expect(await finished).toBeUndefined()
  expect(await list()).toEqual(before)
  expect((await listAttentionItems(await shop.person({ role: 'admin' }))).items).toMatchObject([
    {
      kind: 'backup',
      reason: expect.stringMatching(/backups of other data .* move all that is in .*backups/),
    },
  ])
})

test('beside the backup that an upgrade has made, and that is in no list of runs, a shop makes its own', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { config, database, storage, backupTargets } = shop.services
  const { name } = await createBackup(shopSource(config, database.url, storage), [
    await backupTargets[0].open(),
  ])
  const { backup, problems } = await backUp(shop)
  expect(problems).toEqual([])
  expect(await backupTargets[0].list()).toEqual([backup, name])
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
