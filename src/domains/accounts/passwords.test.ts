// The threads that hash, the bound on what waits for them, and the hashes themselves.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startProcess, untilPrinted } from '#test/start-process.ts'
import { createPasswords, openHashing } from './passwords.ts'

test('hashes within the queue’s limit are computed, later ones are refused with Retry-After', async () => {
  const hashing = openHashing({ threads: 2, maxQueued: 3 })
  const tasks = Array.from({ length: 8 }, (_, n) => hashing({ password: `password ${n}` }))
  const outcomes = await Promise.allSettled(tasks)
  expect(outcomes.map(({ status }) => status)).toEqual([
    ...Array<string>(5).fill('fulfilled'),
    ...Array<string>(3).fill('rejected'),
  ])
  expect(outcomes[7]).toMatchObject({ reason: { code: 'auth.request_timeout', status: 503, retryAfter: 2 } })
  expect(await hashing({ password: 'later' })).toMatch(/^\$argon2id/)
})

test('each result goes to its own caller', async () => {
  const hashing = openHashing({ threads: 2, maxQueued: 20 })
  const hashes = await Promise.all([0, 1, 2, 3].map((n) => hashing({ password: `password ${n}` })))
  const compare = (password_hash: string | boolean, n: number) =>
    hashing({ password: `password ${n}`, password_hash: String(password_hash) })
  expect(await Promise.all(hashes.map(compare))).toEqual([true, true, true, true])
  expect(await Promise.all(hashes.toReversed().map(compare))).toEqual([false, false, false, false])
})

test('a password is right in each form in which keyboards write it, also where it was hashed in another', async () => {
  const passwords = createPasswords()
  const forms = [
    'Zoë’s ﬁne café 12',
    'Zoe\u0308’s ﬁne cafe\u0301 12',
    'Zoë’s fine café １２',
    '\u2060Zoë’s fine café 12\u200b',
  ]
  const password_hash = await passwords.hash('Zoë’s fine café 12')
  for (const form of forms) expect([form, await passwords.isRight(form, password_hash)]).toEqual([form, true])
  expect(await passwords.isRight('Zoe’s fine café 12', password_hash)).toBe(false)
  expect(await passwords.isRight('zoë’s fine café 12', password_hash)).toBe(false)

  const hashing = openHashing({ threads: 1, maxQueued: 1 })
  for (const form of forms) {
    const earlier = String(await hashing({ password: form }))
    expect([form, await passwords.isRight(form, earlier)]).toEqual([form, true])
  }
})

test('what is no hash fails, and the thread goes on', async () => {
  const hashing = openHashing({ threads: 1, maxQueued: 1 })
  await expect(hashing({ password: 'x', password_hash: 'no hash' })).rejects.toThrow()
  expect(await hashing({ password: 'x' })).toMatch(/^\$argon2id/)
})

test('under node --watch, as in development, what Node itself says of a thread is no response', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-hashing-'))
  const script = join(folder, 'hash.mjs')
  const hashing = new URL('passwords.ts', import.meta.url)
  await writeFile(
    script,
    `const { openHashing } = await import('${hashing.href}')
    console.log(String(await openHashing({ threads: 1, maxQueued: 1 })({ password: 'x' })))`,
  )
  const child = startProcess('node', ['--watch', script], { hasGroup: true })
  const first = await untilPrinted(child)
  await child.stop()
  await rm(folder, { recursive: true })
  expect(first).toMatch(/^\$argon2id/)
})

test('hashes are argon2id with 19 MiB and two passes, salted, and nobody matches no hash', async () => {
  const passwords = createPasswords()
  const [first, second] = await Promise.all([passwords.hash('secret'), passwords.hash('secret')])
  expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(first).not.toBe(second)
  expect(await passwords.isRight('secret', first)).toBe(true)
  expect(await passwords.isRight('Secret', first)).toBe(false)
  expect(await passwords.isRight('', null)).toBe(false)
})
