import { expect, test } from 'vitest'
import { createTestDatabase } from '#test/database.ts'
import { openDatabase } from './db/client.ts'
import { failureReason } from './errors.ts'
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

test('a query that failed says why, not what it asked', async () => {
  await using created = await createTestDatabase()
  await using database = openDatabase(created.url)
  const error: unknown = await database.db.execute('select from nowhere').catch((reason: unknown) => reason)
  expect(failureReason(error)).toBe('relation "nowhere" does not exist')
})

/** The error that Node throws for an ordinary user; root may open everything, and becomes another user first. */
function failAsOther(call: 'mkdirSync' | 'chmodSync', path: string): Error {
  const script = `
    if (process.getuid() === 0) process.setuid(65534)
    try { require('fs').${call}(process.argv[1], 0o700) }
    catch ({ message, ...rest }) { console.log(JSON.stringify({ message, ...rest })) }`
  const { stdout } = spawnSync(process.execPath, ['-e', script, path], { encoding: 'utf8', cwd: '/' })
  const { message, ...rest } = JSON.parse(stdout) as { message: string }
  return Object.assign(new Error(message), rest)
}

test('a folder of another user is named, with what to do', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-closed-'))
  try {
    spawnSync('chmod', ['000', folder])
    for (const [call, path] of [
      ['mkdirSync', join(folder, 'data')],
      ['chmodSync', process.getuid?.() === 0 ? folder : '/'],
    ] as const) {
      const reason = failureReason(failAsOther(call, path))
      expect(reason).toContain(`may not open ${path}.`)
      expect(reason).toContain('chown -R')
    }
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('a port that may not be used is said as it is', () => {
  const listen = { code: 'EACCES', syscall: 'listen', port: 80 }
  const refused = Object.assign(new Error('listen EACCES: permission denied 0.0.0.0:80'), listen)
  expect(failureReason(refused)).toBe('listen EACCES: permission denied 0.0.0.0:80')
})
