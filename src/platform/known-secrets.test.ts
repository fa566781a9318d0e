// The files of the secret: one replaces another at any point of which a process may be killed.
import { mkdtempDisposable, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  configuredSecret,
  createSecret,
  existingSecrets,
  knownSecrets,
  putInPlace,
  repairSecretFiles,
} from './secret.ts'

const textsOf = (settings: Parameters<typeof knownSecrets>[0]) =>
  knownSecrets(settings).map(({ text }) => text)

async function openFolder() {
  const folder = await mkdtempDisposable(join(tmpdir(), 'lectern-secret-'))
  const settings = { authSecret: undefined, oldAuthSecret: undefined, dataDir: folder.path }
  const read = async () => (await readFile(join(folder.path, 'secret'), 'utf8')).trim()
  return { settings, read, [Symbol.asyncDispose]: () => folder.remove() }
}

test('the file of a new secret keeps the one before, and either is put back where the database has it', async () => {
  await using folder = await openFolder()
  const { settings, read } = folder
  const { dataDir } = settings
  expect([existingSecrets(settings), await readdir(dataDir)]).toEqual([[], []])
  const old = configuredSecret(settings)
  const next = createSecret()
  putInPlace(dataDir, next)
  putInPlace(dataDir, next)
  expect(await read()).toBe(next.text)
  expect(textsOf(settings)).toContain(old.text)
  for (const secret of [old, next, next]) {
    repairSecretFiles(settings, secret)
    expect(await read()).toBe(secret.text)
    expect(new Set(textsOf(settings))).toEqual(new Set([old.text, next.text]))
  }

  const set = { ...settings, authSecret: 'x'.repeat(32), oldAuthSecret: 'y'.repeat(32) }
  expect(textsOf(set).slice(0, 2)).toEqual([set.authSecret, set.oldAuthSecret])
  expect(textsOf(set)).toContain(old.text)
  repairSecretFiles(set, old)
  expect(await read()).toBe(next.text)
})

test('what a rotation by 0.1.1 has prepared is put in place where the database has it, else it is kept', async () => {
  for (const isTaken of [true, false]) {
    await using folder = await openFolder()
    const { settings, read } = folder
    const [old, next] = [configuredSecret(settings), createSecret()]
    await writeFile(join(settings.dataDir, 'secret.next'), next.text)
    const secret = isTaken ? next : old
    repairSecretFiles(settings, secret)
    expect(await read()).toBe(secret.text)
    expect(await readdir(settings.dataDir)).not.toContain('secret.next')
    expect(new Set(textsOf(settings))).toEqual(new Set([old.text, next.text]))
  }
})
