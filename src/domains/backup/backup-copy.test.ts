// A copy of the shop as one file, as an admin downloads it.
import { execFileSync } from 'node:child_process'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { openTestShop, type TestShop } from '#test/shop.ts'
import type { Person } from '#test/users.ts'
import type { BackupCopy } from '#contract/backup/backups.ts'
import { openPlaceAt } from './backup-targets.ts'
import { checkObjects } from './object-damage.ts'

const passphrase = 'correct horse battery staple'
const env = { BACKUP_PASSPHRASE: passphrase, RATE_LIMIT: 'off' }

async function ask(admin: Person) {
  const response = await admin.call('POST', '/api/admin/backups/copies', { body: {} })
  return { status: response.status, body: (await response.json()) as BackupCopy & { code?: string } }
}

test('a copy opens with the passphrase as a place of backups, and has the shop’s secret', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-copy-'))
  await using shop = await openTestShop({ env })
  await (await shop.person()).buy((await shop.product('digital')).id)
  const [admin, other] = [await shop.person({ role: 'admin' }), await shop.person({ role: 'admin' })]
  const { body } = await ask(admin)
  expect((await shop.mailbox.to(other.email, /^A copy of your shop/)).text).toContain(admin.email)
  const head = await shop.call('HEAD', body.url)
  expect(head.headers.get('content-disposition')).toMatch(/lectern-127\.0\.0\.1-\d{4}-\d\d-\d\d\.tar"?$/)
  const response = await shop.call('GET', body.url)
  const content = await response.bytes()
  expect(response.headers.get('content-length')).toBe(String(content.length))
  expect(content.length).toBeGreaterThan(body.size)
  execFileSync('tar', ['x', '-C', folder.path], { input: content })
  const place = openPlaceAt(pathToFileURL(folder.path).href, { passphrase })
  expect(await place.listOthers()).toEqual([])
  const store = await place.open()
  const manifest = await store.read((await store.list())[0]!)
  expect(manifest.secret).toBe(shop.services.secret.text)
  expect(manifest.sums.orders).toBe(1)
  expect(await store.checkNeeded((await store.list())[0]!, manifest)).toBeUndefined()
  expect(await checkObjects(store, manifest, () => undefined)).toEqual(new Map())
  // The place in the shop's own folder, which is not encrypted, has no secret.
  const own = await shop.services.backupTargets()[0].open()
  expect((await own.read((await own.list())[0]!)).secret).toBeUndefined()

  const again = await shop.call('GET', body.url)
  expect([again.status, await again.json()]).toMatchObject([410, { code: 'downloads.link_expired' }])
})

test('nobody gets a copy without a passphrase, a proof, a session and the role', async () => {
  await using plain = await openTestShop({ env: { RATE_LIMIT: 'off' }, hasWorkers: false, isEmpty: true })
  expect((await ask(await plain.person({ role: 'admin' }))).body).toMatchObject({
    code: 'backups.no_passphrase',
  })
  await using shop = await openTestShop({ env, hasWorkers: false, isEmpty: true })
  expect((await ask(await shop.person())).status).toBe(403)
  const admin = await shop.person({ role: 'admin' })
  const { database } = shop.services
  const { url } = (await ask(admin)).body
  await database.pool.query(`update auth.sessions set proved_at = now() - interval '11 minutes'`)
  expect((await ask(admin)).body).toMatchObject({ code: 'auth.reauthentication_needed' })
  await database.pool.query(`delete from user_roles where user_id = $1 and role = 'admin'`, [admin.id])
  expect((await shop.call('GET', url)).status).toBe(403)
  await database.pool.query('delete from auth.sessions')
  expect((await shop.call('GET', url)).status).toBe(403)
})

test('a download that breaks off ends its thread, and the shop goes on', async () => {
  await using shop = await openTestShop({ env, hasWorkers: false })
  await addLargeFile(shop)
  const admin = await shop.person({ role: 'admin' })
  const { url, size } = (await ask(admin)).body
  expect(size).toBeGreaterThan(largeBytes)
  const before = process.memoryUsage().rss
  const reader = (await shop.call('GET', url)).body!.getReader()
  await reader.read()
  // Nobody reads on: what was read of the disk stays small.
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(process.memoryUsage().rss - before).toBeLessThan(largeBytes)
  await reader.cancel()
  expect((await ask(admin)).status).toBe(200)
})

const largeBytes = 400 * 1024 * 1024

async function addLargeFile({ services }: TestShop): Promise<void> {
  const { rows } = await services.database.pool.query<{ file_path: string }>(
    'select file_path from product_files limit 1',
  )
  await services.storage.write(rows[0]!.file_path, Buffer.alloc(largeBytes, 7))
}
