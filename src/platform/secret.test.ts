// Rules of the shop's secret.
import { mkdtempDisposable, readdir, stat, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  configuredSecret,
  isSignedBy,
  secretFrom,
  sign,
  createSecret,
  existingSecrets,
  knownSecrets,
  putInPlace,
  repairSecretFiles,
} from './secret.ts'

test('the secret is made once, kept for its owner only, and gives each purpose a key of its own', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-secret-'))
  const settings = { authSecret: undefined, oldAuthSecret: undefined, dataDir: join(folder.path, 'data') }
  const key = configuredSecret(settings).key('downloads')
  expect(key).toHaveLength(32)
  expect(configuredSecret(settings).key('downloads').equals(key)).toBe(true)
  expect(configuredSecret(settings).key('sign-ins').equals(key)).toBe(false)
  expect(await readdir(settings.dataDir)).toEqual(['secret'])
  expect((await stat(join(settings.dataDir, 'secret'))).mode & 0o777).toBe(0o600)

  const set = { ...settings, authSecret: 'x'.repeat(32) }
  expect(configuredSecret(set).key('downloads').equals(key)).toBe(false)
  expect(configuredSecret(set).key('downloads')).toEqual(configuredSecret(set).key('downloads'))
})

test('a signature fits its words and its key, and nothing else', () => {
  const secret = secretFrom('x'.repeat(32))
  const [key, otherKey] = [secret.key('downloads'), secret.key('sign-ins')]
  const signature = sign(key, 'the words')
  expect(isSignedBy(key, 'the words', signature)).toBe(true)
  expect(isSignedBy(key, 'the word', signature)).toBe(false)
  expect(isSignedBy(otherKey, 'the words', signature)).toBe(false)
  for (const other of ['', `${signature}A`, signature.slice(1), signature.toLowerCase(), '恵み']) {
    expect(isSignedBy(key, 'the words', other)).toBe(false)
  }
})

// The files of the secret: one replaces another at any point of which a process may be killed.

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
