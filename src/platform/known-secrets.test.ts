// The files of the secret: one replaces another at any point of which a process may be killed.
import { mkdtempDisposable, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  configuredSecret,
  existingSecrets,
  knownSecrets,
  prepareFreshSecret,
  prepareSecret,
  putInPlace,
} from './secret.ts'

const textsOf = (settings: Parameters<typeof knownSecrets>[0]) =>
  knownSecrets(settings).map(({ text }) => text)

test('at every step of a change both secrets are known, and afterwards the earlier one still is', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-secret-'))
  const dataDir = folder.path
  const settings = { authSecret: undefined, oldAuthSecret: undefined, dataDir }
  const { text: old } = configuredSecret(settings)
  const wanted = prepareSecret(dataDir)
  const { text: next } = wanted
  expect(prepareSecret(dataDir).text).toBe(next)
  expect(textsOf(settings)).toEqual([old, next, old])
  putInPlace(dataDir, wanted)
  expect(textsOf(settings)[0]).toBe(next)
  expect(textsOf(settings)).toContain(old)

  // Killed after the earlier one was linked, before the new one took its place.
  await writeFile(join(dataDir, 'secret.next'), next)
  await writeFile(join(dataDir, 'secret'), old)
  putInPlace(dataDir, wanted)
  expect(new Set(textsOf(settings))).toEqual(new Set([next, old]))
  expect(await readdir(dataDir)).toHaveLength(2)

  const set = { ...settings, authSecret: 'x'.repeat(32), oldAuthSecret: 'y'.repeat(32) }
  expect(textsOf(set).slice(0, 2)).toEqual([set.authSecret, set.oldAuthSecret])
  expect(textsOf(set)).toContain(old)
})

test('two changes to one secret at once put it in place, and what another one has prepared stays', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-secret-'))
  const dataDir = folder.path
  const settings = { authSecret: undefined, oldAuthSecret: undefined, dataDir }
  expect([existingSecrets(settings), await readdir(dataDir)]).toEqual([[], []])
  configuredSecret(settings)
  const wanted = prepareSecret(dataDir)
  putInPlace(dataDir, wanted)
  putInPlace(dataDir, wanted)
  expect(configuredSecret(settings).text).toBe(wanted.text)
  const left = prepareSecret(dataDir)
  const fresh = prepareFreshSecret(dataDir)
  expect(fresh.text).not.toBe(left.text)
  putInPlace(dataDir, left)
  expect(configuredSecret(settings).text).toBe(left.text)
  expect(prepareSecret(dataDir).text).toBe(fresh.text)
})
