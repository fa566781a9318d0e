// A shop that is asked to stop the moment it answers: while its queue still starts.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../database.ts'
import { cleanEnvironment } from '../environment.ts'
import { findFreePort } from '../torture/running-shop.ts'

const root = join(import.meta.dirname, '../..')

test('a shop asked to stop as it opens closes in order', async () => {
  await using place = await createTestDatabase()
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-opening-'))
  const port = await findFreePort()
  const shop = spawn(process.execPath, ['src/main.ts'], {
    cwd: root,
    env: cleanEnvironment({
      DATABASE_URL: place.url,
      DATA_DIR: folder.path,
      PORT: String(port),
      NODE_ENV: 'production',
    }),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said = text(shop.stdout)
  const ended = once(shop, 'exit')
  const isUp = () =>
    fetch(`http://localhost:${port}/api/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  await expect.poll(isUp, { interval: 5, timeout: 20_000 }).toBe(true)
  shop.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(await said).toContain('The shop is closed')
}, 180_000)
