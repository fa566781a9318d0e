// What a person at a terminal sees of the start. `script` of Debian's bsdutils is the terminal.
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { ensureBuilt } from '#tools/build.ts'
import { createTestDatabase } from '../database.ts'
import { findFreePort } from '../find-free-port.ts'
import { startProcess, untilReady } from '../start-process.ts'

beforeAll(() => ensureBuilt())

const root = join(import.meta.dirname, '../..')

test.skipIf(process.platform !== 'linux')(
  'in a terminal the start prints the addresses and a setup link, and no lines for a log',
  async () => {
    await using database = await createTestDatabase()
    await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-terminal-'))
    const port = String(await findFreePort())
    const env = { PORT: port, DATABASE_URL: database.url, DATA_DIR: folder.path }
    const command = `${process.execPath} ${join(root, 'dist/server/lectern.js')} start`
    await using shop = startProcess('script', ['-qec', command, '/dev/null'], {
      cwd: folder.path,
      env,
      hasGroup: true,
    })
    await untilReady(`http://localhost:${port}/api/ready`, shop)
    await expect.poll(() => shop.stdout()).toContain('Ctrl-C closes the shop.')
    const printed = shop.stdout()
    expect(printed).not.toContain('"level"')
    const [, token] = /\/setup#(\S+)/.exec(printed) ?? []
    const checked = await fetch(`http://localhost:${port}/api/setup/link`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    })
    expect(checked.status).toBe(200)
  },
)
