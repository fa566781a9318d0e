import { expect, test } from 'vitest'
import { createTestDatabase } from '#test/database.ts'
import { openDatabase } from './db/client.ts'
import { failureReason } from './errors.ts'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
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

test('a port or an address at which nothing can listen is said in words', async () => {
  await using undo = new AsyncDisposableStack()
  const taken = createServer().listen(0, '127.0.0.1')
  undo.defer(() => void taken.close())
  await once(taken, 'listening')
  const address = taken.address()
  if (typeof address !== 'object' || !address) throw new Error('There is no port.')
  const listen = async (port: number, host: string) => {
    const [error] = await once(createServer().listen(port, host), 'error').catch((thrown: unknown) => [
      thrown,
    ])
    return failureReason(error)
  }
  expect(await listen(address.port, '127.0.0.1')).toBe(
    `Another program listens on port ${address.port}, or this shop runs already: stop it, or set another PORT.`,
  )
  expect(await listen(address.port, '192.0.2.1')).toContain('HOST is no address of this machine')
  const closed = { code: 'EACCES', syscall: 'listen', port: 80 }
  const refused = Object.assign(new Error('listen EACCES: permission denied 0.0.0.0:80'), closed)
  expect(failureReason(refused)).toContain('may not listen on port 80: set a PORT from 1024 on')
})

test('a folder that can only be read is named, with what to do', () => {
  const path = '/srv/data/postgres'
  const readOnly = Object.assign(new Error(`EROFS: read-only file system, chmod '${path}'`), {
    code: 'EROFS',
    syscall: 'chmod',
    path,
  })
  expect(failureReason(readOnly)).toBe(
    `${path} cannot be written, because its file system can only be read: mount it for writing, or set another folder.`,
  )
})
