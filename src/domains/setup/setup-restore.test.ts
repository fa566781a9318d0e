// A new shop takes the place of one that its author has a backup of: who may, from what, and what is refused.
import { existsSync, readdirSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createGzip } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import type { OpenBackupRequest, RestoreSource, RestoreState } from '#contract/setup/setup-restore.ts'
import { createUser } from '#domains/accounts/users.ts'
import {
  backupEntries,
  backupFile,
  encrypted,
  passphrase,
  tarOf,
  withRows,
  type TarEntry,
} from '#test/backup-file.ts'
import { publishBook } from '#test/legal.ts'
import { openSecondShop } from '#test/second-shop.ts'
import { purchases } from '#tables/orders.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { uploadTo } from '#test/upload.ts'
import { createTestDatabase } from '#test/database.ts'
import { findFreePort } from '#test/find-free-port.ts'
import { rememberingPasswords } from '#test/passwords.ts'
import { credentials, openTestBucket, region, type TestBucket } from '#test/s3.ts'
import { withoutPages } from '#test/without-pages.ts'
import { createHttpServer } from '#platform/http/server.ts'
import { createLog } from '#platform/log.ts'
import { openStorageAt } from '#platform/open-storage.ts'
import { readConfig } from '../../config.ts'
import { startShop } from '../../start-shop.ts'
import { createRestoring } from './restoring.ts'
import { createSetupLink } from './first-admin.ts'

const author = { email: 'author@books.example', password: 'nine good words' }

const tokenOf = ({ services }: TestShop) => new URL(createSetupLink(services)).hash.slice(1)

/** A shop with an admin and an order, and its backup as a file. */
async function makeBackup() {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  await admin.buy((await shop.product('digital')).id)
  expect((await publishBook(admin, {})).status).toBe(200)
  const entries = await backupEntries(shop.services)
  const file = await backupFile(entries)
  const signIn = { email: admin.email, password: admin.password }
  return { entries, file, url: shop.url, secret: shop.services.secret.text, admin: signIn }
}

const backup = await makeBackup()

async function openNewShop(env: Record<string, string> = {}) {
  const shop = await openTestShop({ hasWorkers: false, env: { RATE_LIMIT: 'off', ...env } })
  const token = tokenOf(shop)
  const send = async (path: string, body: object) => {
    const response = await shop.call('POST', `/api/setup/restore/${path}`, { body })
    return (await response.json()) as RestoreState & { code?: string; detail?: string }
  }
  const settled = () =>
    vi.waitUntil(
      async () => {
        const state = await send('state', { token })
        return state.state !== 'opening' && (state.state !== 'restoring' || state.step === 'closed') && state
      },
      { timeout: 30_000 },
    )
  const open = async (source: RestoreSource, words = passphrase) => {
    const request: OpenBackupRequest = { token, source, passphrase: words }
    const begun = await send('open', request)
    return begun.code ? begun : settled()
  }
  const upload = (content: Buffer, link = token) =>
    uploadTo(`${shop.url}/api/setup/restore/uploads`, { 'x-setup-link': link }, content, 'shop.tar')
  return {
    ...shop,
    token,
    send,
    settled,
    open,
    upload,
    openFile: async (content: Buffer, words?: string) =>
      open({ kind: 'file', upload_id: await upload(content) }, words),
    start: (name: string) => send('start', { token, name }),
    [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose](),
  }
}

test('the file of a shop is opened with its passphrase, and says what is in it', async () => {
  await using shop = await openNewShop()
  expect(await shop.openFile(backup.file, 'in the middle of it')).toMatchObject({
    state: 'failed',
    problem: 'This is not the passphrase of this file. Nothing was changed.',
  })
  const opened = await shop.openFile(backup.file)
  expect(opened).toMatchObject({
    state: 'opened',
    backup: { title: expect.any(String), site_url: backup.url, orders: 1, obstacle: null },
  })
  expect(opened.backup!.size).toBeGreaterThan(1000)

  const { name } = opened.backup!
  const begun = await Promise.all([shop.start(name), shop.start(name)])
  const busy = expect.objectContaining({ code: 'setup.restore_busy' })
  expect(begun).toEqual(expect.arrayContaining([expect.objectContaining({ state: 'restoring' }), busy]))
  const ready = await shop.settled()
  expect(ready).toMatchObject({ state: 'restoring', step: 'closed' })
  expect(await shop.start(opened.backup!.name)).toMatchObject({ code: 'setup.restore_busy' })
  expect(await shop.open({ kind: 'file', upload_id: 'x' })).toMatchObject({ code: 'setup.restore_busy' })
})

test('what is not a backup of a shop, or only half of one, is refused in words', async () => {
  await using shop = await openNewShop()
  const outside = join(shop.services.config.dataDir, 'escaped')
  const object = `objects/ab/${'ab'.repeat(32)}`
  const sealed = await encrypted(backup.entries)
  const withoutKey = sealed.filter(({ name }) => name !== 'key.age')
  const refused: [Buffer, RegExp][] = [
    [Buffer.from('PK a zip'), /no backup of a shop: choose the file/],
    [Buffer.from('no tar'.repeat(200)), /no backup of a shop: choose the file/],
    [backup.file.subarray(0, 90), /no backup of a shop: choose the file/],
    [await tarOf([]), /no backup of a shop: choose the file/],
    [backup.file.subarray(0, 200_000), /damaged or not whole/],
    [
      await tarOf(await encrypted(backup.entries, { workFactor: 19 })),
      /key\.age .* none that a shop has made/,
    ],
    [await tarOf([{ name: 'key.age', content: 'x'.repeat(2_000) }, ...withoutKey]), /key\.age .* is damaged/],
    [await tarOf(withoutKey), /put that file back/],
    [await tarOf(backup.entries), /no backup has/],
    [await tarOf([{ name: '../../escaped', content: 'x' }]), /no backup has/],
    [await tarOf([{ name: outside, content: 'x' }]), /no backup has/],
    [await tarOf([{ name: `objects/ab/../../../escaped`, content: 'x' }]), /no backup has/],
    [await tarOf([{ name: 'key.age', type: 'symlink' }]), /no backup has/],
    [
      await backupFile([
        { name: object, content: 'x' },
        { name: object, content: 'y' },
      ]),
      /damaged or not whole/,
    ],
    [await backupFile([{ name: object, content: 'x' }]), /There are no backups in this file/],
    [
      await backupFile([{ name: 'backups/2026-01-01T00-00-00-000Z.json', content: '{}' }]),
      /cannot be read by this version/,
    ],
  ]
  for (const [file, problem] of refused)
    expect(await shop.openFile(file)).toMatchObject({
      state: 'failed',
      problem: expect.stringMatching(problem),
    })
  expect(existsSync(outside)).toBe(false)

  const isObject = ({ name }: TarEntry) => name.startsWith('objects/')
  const lost = sealed.find(isObject)
  const damaged = sealed.map((entry) => (entry === lost ? flipped(entry) : entry))
  for (const entries of [sealed.filter((entry) => entry !== lost), damaged]) {
    const opened = await shop.openFile(await tarOf(entries))
    expect(await shop.start(opened.backup!.name)).toMatchObject({ state: 'restoring' })
    expect(await shop.settled()).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('Nothing was changed'),
    })
  }
})

function flipped({ name, content }: TarEntry): TarEntry {
  const bytes = Buffer.from(content!)
  bytes[bytes.length >> 1]! ^= 1
  return { name, content: bytes }
}

/** `megabytes` of `unit` again and again. */
async function bomb(unit: string, megabytes: number): Promise<Buffer> {
  const chunk = Buffer.from(unit.repeat(Math.ceil(1024 ** 2 / unit.length)))
  return await buffer(Readable.from(Array.from({ length: megabytes }, () => chunk)).pipe(createGzip()))
}

test('rows that grow beyond what the backup says, or the disk has, end the restore and leave nothing', async () => {
  await using shop = await openNewShop()
  const { config, database } = shop.services
  const table = 'public.contact_messages'
  const [lines, row] = [await bomb('\\N\n', 300), await bomb('x', 300)]
  const refused: [TarEntry[], RegExp][] = [
    [
      withRows(backup.entries, { table, rows: lines, entry: { rows: 3, bytes: 400_000_000 } }),
      /contact_messages cannot be loaded: they are more than the backup says/,
    ],
    [
      withRows(backup.entries, { table, rows: row, entry: { bytes: 1_000_000 } }),
      /they are more than the backup says/,
    ],
    [
      withRows(backup.entries, { table, rows: row, entry: { bytes: 400_000_000 } }),
      /one of them is larger than 64 MB/,
    ],
    [
      withRows(backup.entries, { table, rows: lines, entry: { rows: 10 ** 12, bytes: 10 ** 15 } }),
      /The disk has no room for this backup: it needs \d+ MB more/,
    ],
  ]
  for (const [entries, problem] of refused) {
    const opened = await shop.openFile(await backupFile(entries))
    await shop.start(opened.backup!.name)
    expect(await shop.settled()).toMatchObject({
      state: 'failed',
      problem: expect.stringMatching(problem),
    })
    expect(readdirSync(join(config.dataDir, 'restore'))).toEqual(['uploads'])
  }
  const { rows } = await database.pool.query(
    `select from pg_database where starts_with(datname, current_database() || '_')`,
  )
  expect(rows).toEqual([])

  const manifest = backup.entries.find(({ name }) => name.endsWith('.json'))!
  const large = backup.entries.map((entry) =>
    entry === manifest ? { ...entry, content: ' '.repeat(9_000_000) + String(entry.content) } : entry,
  )
  expect(await shop.openFile(await backupFile(large))).toMatchObject({
    state: 'failed',
    problem: expect.stringContaining('no backup has'),
  })
}, 120_000)

test('only the link opens the way, and only in a shop without an admin, an order and a published book', async () => {
  await using shop = await openNewShop()
  await expect(shop.upload(backup.file, 'made-up')).rejects.toThrow('403')
  const upload_id = await shop.upload(backup.file)
  const source = { kind: 'file' as const, upload_id }
  const head = (link: string) =>
    shop.call('HEAD', `/api/setup/restore/uploads/${upload_id}`, {
      headers: { 'tus-resumable': '1.0.0', 'x-setup-link': link },
    })
  expect([(await head('')).status, (await head(shop.token)).status]).toEqual([403, 200])
  for (const path of ['state', 'open', 'start'])
    expect(await shop.send(path, { token: 'made-up', source, passphrase, name: 'x' })).toMatchObject({
      code: 'setup.link_invalid',
    })
  expect(await shop.start('2026-01-01T00-00-00-000Z')).toMatchObject({ code: 'setup.restore_not_open' })

  const { backup: opened } = await shop.open(source)
  await using other = await openSecondShop(shop)
  expect(await shop.start(opened!.name)).toMatchObject({ code: 'setup.several_processes' })
  await other[Symbol.asyncDispose]()
  await (await shop.person()).buy((await shop.product('digital')).id)
  for (const result of [await shop.start(opened!.name), await shop.open(source)])
    expect(result).toMatchObject({ code: 'setup.in_use' })
  await expect(shop.upload(backup.file)).rejects.toThrow('409')

  await createUser(shop.services, { id: null, email: 'test', ip: null }, { ...author, role: 'admin' }, {})
  expect(await shop.start(opened!.name)).toMatchObject({ code: 'setup.finished' })
  expect(await shop.send('state', { token: shop.token })).toMatchObject({ code: 'setup.finished' })
})

test('an admin who was made while the backup was compared keeps the shop', async () => {
  await using shop = await openNewShop()
  const { backup: opened } = await shop.openFile(backup.file)
  const { restoring, database } = shop.services
  const closing = restoring.nextClosing()
  await shop.start(opened!.name).then(shop.settled)
  await createUser(shop.services, { id: null, email: 'test', ip: null }, { ...author, role: 'admin' }, {})
  await (
    await closing
  )()
  expect(restoring.state).toMatchObject({
    state: 'failed',
    problem: 'This shop has an admin already. Please sign in.',
  })
  expect(await database.db.$count(purchases)).toBe(0)
})

/** What a new shop sends as the source, with its own address and link. */
type Choose = (place: { url: string; token: string }) => Promise<RestoreSource>

async function restoreWholly(choose: Choose, words = passphrase): Promise<void> {
  await using database = await createTestDatabase()
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-restored-'))
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    LOG_LEVEL: 'silent',
    SITE_URL: url,
    DATA_DIR: folder.path,
    HOST: '127.0.0.1',
    PORT: String(port),
    BACKUP_PRIVATE_HOSTS: 'on',
  }
  const config = readConfig({ ...env, RATE_LIMIT: 'off' })
  const restoring = createRestoring()
  const http = createHttpServer(config)
  const start = () =>
    startShop(config, {
      log: createLog('silent'),
      http,
      databaseUrl: database.url,
      restoring,
      passwords: rememberingPasswords,
      openPages: withoutPages,
      hasWorkers: false,
    })
  const before = await start()
  const token = new URL(createSetupLink(before.shop)).hash.slice(1)
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await response.json()) as RestoreState & { code?: string; access_token?: string }
  }
  const source = await choose({ url, token })
  await post('/api/setup/restore/open', { token, source, passphrase: words })
  await vi.waitUntil(() => restoring.state.state !== 'opening', { timeout: 60_000 })
  expect(restoring.state).toMatchObject({ state: 'opened', backup: { site_url: backup.url, obstacle: null } })
  const closing = restoring.nextClosing()
  await post('/api/setup/restore/start', { token, name: restoring.state.backup!.name })
  const whileClosed = await closing
  await before.stop({ isLast: false })
  const waiting = fetch(`${url}/api/ready`)
  await whileClosed()
  expect(restoring.state.problem).toBeNull()
  const after = await start()
  try {
    expect([200, 503]).toContain((await waiting).status)
    expect(await post('/api/setup/restore/state', { token })).toMatchObject({ state: 'restored' })
    expect(await post('/api/setup/restore/open', { token, source, passphrase: words })).toMatchObject({
      code: 'setup.link_invalid',
    })
    expect(after.shop.secret.text).toBe(backup.secret)
    expect(await after.shop.db.$count(purchases)).toBe(1)
    const signedIn = await post('/auth/v1/token?grant_type=password', backup.admin)
    expect(signedIn.access_token).toEqual(expect.any(String))
  } finally {
    await after.stop()
  }
}

test('the shop is closed, and opens again as the restored one, whose admin signs in', async () => {
  await restoreWholly(async ({ url, token }) => ({
    kind: 'file',
    upload_id: await uploadTo(
      `${url}/api/setup/restore/uploads`,
      { 'x-setup-link': token },
      backup.file,
      'shop.tar',
    ),
  }))
}, 120_000)

test('a bucket is read with its keys and passphrase, and nothing is written there', async () => {
  await using bucket = await openTestBucket()
  await fillBucket(bucket)
  const before = new Map(bucket.files)
  const place = {
    kind: 'bucket' as const,
    endpoint: new URL(bucket.url).searchParams.get('endpoint')!,
    region,
    bucket: 'books',
    prefix: 'my-shop',
    access_key: credentials.accessKeyId,
    secret_key: credentials.secretAccessKey,
  }
  {
    await using shop = await openNewShop({ BACKUP_PRIVATE_HOSTS: 'on' })
    const refused: [Partial<typeof place>, string, RegExp][] = [
      [{}, 'in the middle of it', /^This is not the passphrase of the bucket books/],
      [{ bucket: 'another' }, passphrase, /may not do this: allow s3:ListBucket in this bucket/],
      [{ prefix: 'your-shop' }, passphrase, /There are no backups in the bucket books/],
    ]
    for (const [change, words, problem] of refused)
      expect(await shop.open({ ...place, ...change }, words)).toMatchObject({
        state: 'failed',
        problem: expect.stringMatching(problem),
      })
  }
  await restoreWholly(async () => place)
  expect(bucket.files).toEqual(before)
}, 120_000)

/** As the second place of the shop leaves it. */
async function fillBucket({ url }: TestBucket): Promise<void> {
  const storage = openStorageAt(url.replace('s3://books', 's3://books/my-shop'))
  for (const { name, content } of await encrypted(backup.entries))
    await storage.write(name, Buffer.from(content!))
}

test('AUTH_SECRET that is not the secret of the backup is named before anything changes', async () => {
  await using shop = await openNewShop({ AUTH_SECRET: 'a secret of this machine, and no other' })
  const { backup: opened } = await shop.openFile(backup.file)
  expect(opened!.obstacle).toContain('Take AUTH_SECRET out of the environment')
  expect(await shop.start(opened!.name)).toMatchObject({ code: 'setup.restore_obstacle' })
  // The shop has to start without the variable.
  expect(readdirSync(shop.services.config.dataDir)).toContainEqual(
    expect.stringMatching(/^secret\.[\da-f]{16}$/),
  )
})

test('a bucket in the own network is not asked', async () => {
  await using shop = await openNewShop()
  const bucket = {
    kind: 'bucket' as const,
    region: 'eu',
    bucket: 'backups',
    prefix: '',
    access_key: 'a',
    secret_key: 'b',
  }
  for (const endpoint of [
    'http://127.0.0.1:9000',
    'https://127.0.0.1:9000',
    'https://localhost',
    'https://[::1]:443',
    'http://169.254.169.254',
  ])
    expect(await shop.open({ ...bucket, endpoint })).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('not on the internet'),
    })
})
