// A shop that is asked to stop the moment it answers: while its queue still starts.
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../database.ts'
import { findFreePort } from '../find-free-port.ts'
import { startProcess, untilReady } from '../start-process.ts'

const root = join(import.meta.dirname, '../..')

test('a shop asked to stop as it opens closes in order', async () => {
  await using place = await createTestDatabase()
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-opening-'))
  const port = await findFreePort()
  await using shop = startProcess(process.execPath, ['src/main.ts'], {
    cwd: root,
    env: { DATABASE_URL: place.url, DATA_DIR: folder.path, PORT: String(port), NODE_ENV: 'production' },
  })
  await untilReady(`http://localhost:${port}/api/health`, shop)
  const { code, stdout } = await shop.stop()
  expect(code).toBe(0)
  expect(stdout).toContain('The shop is closed')
})
