import { mkdtempDisposable, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { memoryFolder } from '#test/memory-folder.ts'
import { openBackupTargets } from './backup-targets.ts'

test('a folder on the disk of the data is known as such, also before it is made', async () => {
  await using data = await mkdtempDisposable(join(tmpdir(), 'lectern-places-'))
  const keys = { passphrase: undefined, publicKey: undefined, identity: undefined }
  const isSameDisk = (url: string) =>
    openBackupTargets({ dataDir: data.path, backup: { url, keys, pingUrl: undefined } })[1]!.isSameDisk()
  expect(await isSameDisk(pathToFileURL(join(data.path, 'mnt/backups')).href)).toBe(true)
  const isOther = (await stat(memoryFolder())).dev !== (await stat(tmpdir())).dev
  expect(await isSameDisk(pathToFileURL(join(memoryFolder(), 'backups')).href)).toBe(!isOther)
  expect(await isSameDisk('s3://backups?endpoint=http://127.0.0.1:1')).toBe(false)
})
