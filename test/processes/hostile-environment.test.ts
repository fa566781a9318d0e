// Tests, torture and bench on a machine that runs a shop: its settings lie in `.env` and in the environment beside them.
// They lead to a server that counts who comes, and to a folder that stays empty. Run in a copy of the sources, so that
// nobody's own `.env` is touched.
import { once } from 'node:events'
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureBuilt } from '#tools/build.ts'
import { startProcess } from '../start-process.ts'

let machine: Awaited<ReturnType<typeof openHostileMachine>>
beforeAll(async () => {
  ensureBuilt()
  machine = await openHostileMachine()
})
afterAll(() => machine[Symbol.asyncDispose]())

const root = join(import.meta.dirname, '../..')
const notCopied = new Set(['.git', '.env', 'data', 'node_modules', 'test-results'])

/** All that would lead to the shop of this machine; each must end up nowhere. */
function hostileSettings(port: number, folder: string) {
  return {
    SITE_URL: 'https://books.example',
    HOST: '127.0.0.2',
    PORT: String(port),
    DATA_DIR: join(folder, 'data'),
    DATABASE_URL: `postgres://shop:secret@127.0.0.1:${port}/shop`,
    STORAGE_URL: `file:${join(folder, 'files')}`,
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    CONTACT_FORM_URL: `http://127.0.0.1:${port}/form`,
    ADMIN_EMAIL: 'owner@books.example',
    ADMIN_PASSWORD: 'the owner herself',
    AUTH_SECRET: 'a secret of at least thirty-two characters',
    STRIPE_SECRET_KEY: 'sk_test_hostile',
    STRIPE_WEBHOOK_SECRET: 'whsec_hostile',
    STRIPE_API_BASE: `http://127.0.0.1:${port}`,
    TIME_ZONE: 'Pacific/Kiritimati',
    RATE_LIMIT: 'on',
    PGHOST: '127.0.0.1',
    PGPORT: String(port),
    ENV_FILE: '.env',
  }
}

async function openHostileMachine() {
  await using undo = new AsyncDisposableStack()
  const folder = await mkdtempDisposable(join(tmpdir(), 'lectern-hostile-'))
  undo.defer(() => folder.remove())
  let connections = 0
  const trap = createServer((socket) => {
    connections += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  undo.defer(() => void trap.close())
  await once(trap, 'listening')
  const owned = join(folder.path, 'owned')
  const settings = hostileSettings((trap.address() as AddressInfo).port, owned)
  const sources = join(folder.path, 'sources')
  mkdirSync(sources)
  mkdirSync(owned)
  for (const name of readdirSync(root)) {
    if (!notCopied.has(name)) cpSync(join(root, name), join(sources, name), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(sources, 'node_modules'))
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(join(sources, '.env'), lines.join(''))
  const probe = `expect(Object.keys(process.env).filter((name) => ${JSON.stringify(Object.keys(settings))}.includes(name) && process.env[name])).toEqual([])`
  writeFileSync(
    join(sources, 'test/probe.test.ts'),
    `import { expect, test } from 'vitest'\ntest('probe', () => ${probe})\n`,
  )
  writeFileSync(
    join(sources, 'e2e/probe.test.ts'),
    `import { expect, test } from './shop.ts'\ntest('probe', async ({ page, shop }) => {
      ${probe}
      await page.goto(shop.url)
      await expect(page.getByText('Get Your Copy Today')).toBeVisible()
    })\n`,
  )

  async function run(command: string, args: string[], env: NodeJS.ProcessEnv = {}) {
    const options = { cwd: sources, env: { ...settings, ...env } }
    const { code, stdout, stderr } = await startProcess(command, args, options).ended
    return { code, output: stdout + stderr }
  }
  const stack = undo.move()
  return {
    run,
    reached: () => ({ connections, files: readdirSync(owned) }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

const started = 'test/processes/stopped-while-opening.test.ts'

test.each([
  ['Vitest', /2 passed/, ['node_modules/.bin/vitest', 'run', 'test/probe.test.ts', started]],
  ['Playwright', /1 passed/, ['node_modules/.bin/playwright', 'test', 'e2e/probe.test.ts']],
  [
    'torture',
    /acknowledged purchases lost/,
    ['test/torture.ts', '--only', 'kill-both', '--rounds', '1', '--buyers', '2', '--seed', '1'],
  ],
  ['bench', /Home page in en: styles/, ['bench/run.ts', '--only', 'weight', '--quick']],
])('%s never reaches the shop whose settings lie beside it', async (name, end, args) => {
  const before = machine.reached()
  // The others start a PostgreSQL of their own.
  const cluster = name === 'Playwright' ? { TEST_CLUSTER_URL: process.env['TEST_CLUSTER_URL'] } : {}
  const { output } = await machine.run(process.execPath, args, cluster)
  expect(output).toMatch(end)
  expect(machine.reached()).toEqual({ ...before, files: [] })
})

test('a shop that is started by its command reads the settings beside it', async () => {
  const before = machine.reached().connections
  const { code, output } = await machine.run('npm', ['run', 'admin', '--', 'list'])
  expect(code).toBe(1)
  expect(output).not.toContain('owner@books.example')
  expect(machine.reached().connections).toBeGreaterThan(before)
})
