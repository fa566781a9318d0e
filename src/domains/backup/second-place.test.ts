// The second place of backups as an admin sets it on the screen: a bucket, its passphrase, and hourly copies.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { credentials, openTestBucket, region, type TestBucket } from '#test/s3.ts'
import { saveGroup } from '#test/settings.ts'
import { listAuditEvents } from '#test/needs.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import type { Person } from '#test/users.ts'
import { clock, time } from '#test/time.ts'
import type { Backups } from '#contract/backup/backups.ts'
import type { PassphraseOffer } from '#contract/backup/passphrase.ts'
import type { PlaceTest } from '#contract/backup/second-place.ts'
import type { SettingsGroup } from '#contract/settings/settings.ts'
import { backup_runs } from '#tables/backup.ts'
import { openPlaceAt } from './backup-targets.ts'
import { countChanges } from './backup-tables.ts'
import { readHourly } from './hourly-copies.ts'
import { runDueBackup } from './due-backups.ts'
import { startBackupRun } from './run-backup.ts'

const here = { BACKUP_PRIVATE_HOSTS: 'on', RATE_LIMIT: 'off' }

/** As BACKUP_URL would name it, below a folder. */
const addressOf = ({ url }: TestBucket) => url.replace('s3://books', 's3://books/my-shop')

function valuesOf({ url }: TestBucket) {
  return {
    endpoint: new URL(url).searchParams.get('endpoint'),
    region,
    bucket: 'books',
    prefix: 'my-shop',
    access_key: credentials.accessKeyId,
    secret_key: credentials.secretAccessKey,
  }
}

async function call(admin: Person, method: 'POST' | 'PUT', path: string, body: object = {}) {
  const response = await admin.call(method, `/api/admin/backups/${path}`, { body })
  return { status: response.status, body: (await response.json()) as unknown }
}

const tryPlace = async (admin: Person) => (await call(admin, 'POST', 'try')).body as PlaceTest
const offerTo = async (admin: Person) => (await call(admin, 'POST', 'passphrase')).body as PassphraseOffer

async function makePassphrase(admin: Person): Promise<string> {
  const offer = await offerTo(admin)
  const entered = { offer: offer.offer, passphrase: offer.passphrase.replaceAll('-', ' ').toUpperCase() }
  expect((await call(admin, 'PUT', 'passphrase', entered)).status).toBe(200)
  return offer.passphrase
}

const read = async (admin: Person) =>
  (await (await admin.call('GET', '/api/admin/backups')).json()) as Backups

async function backUp({ services }: TestShop) {
  return (await startBackupRun(services, { kind: 'backup', started_by: 'test' })).finished
}

test('a bucket and a passphrase entered on the screen are in use at once, and all admins are told', async () => {
  await using bucket = await openTestBucket()
  await using shop = await openTestShop({ env: here })
  const [admin, other] = [await shop.person({ role: 'admin' }), await shop.person({ role: 'admin' })]
  expect(await saveGroup(admin, { revision: 0, values: valuesOf(bucket) }, 'backups')).toEqual({
    status: 200,
  })
  const place = /^Where the backups of your shop go/
  for (const { email } of [admin, other])
    expect((await shop.mailbox.to(email, place)).text).toContain('s3://books/my-shop')
  expect(await tryPlace(admin)).toEqual({
    place: 's3://books/my-shop',
    failed: null,
    reason: null,
    advice: null,
  })
  expect(bucket.files.size).toBe(0)

  // Without a passphrase nothing is copied there: above all, nothing plain.
  expect((await backUp(shop))?.problems).toEqual([expect.stringContaining('it has no passphrase')])
  expect(bucket.files.size).toBe(0)
  const passphrase = await makePassphrase(admin)
  expect((await listAuditEvents(shop)).at(-1)).toBe('backups.passphrase_made')
  expect((await shop.mailbox.to(other.email, /passphrase/)).text).not.toContain(passphrase)
  expect((await backUp(shop))?.problems).toEqual([])
  const { places, passphrase: state } = await read(admin)
  expect(state).toMatchObject({ state: 'stored', set_by: admin.email })
  expect(places[1]).toMatchObject({ is_by_screen: true, is_encrypted: true, hourly: 'on' })
  expect(places[1]!.backups).toHaveLength(1)
  const store = await openPlaceAt(addressOf(bucket), { passphrase }).open()
  const manifest = await store.read((await store.list())[0]!)
  expect(manifest.secret).toBe(shop.services.secret.text)

  const group = (await (await admin.call('GET', '/api/admin/settings/backups')).json()) as SettingsGroup
  expect(group.secrets).toMatchObject({ passphrase: { ends_in: null, is_readable: true } })
  expect(JSON.stringify(group)).not.toContain(passphrase.slice(-5))

  // A new passphrase opens what is there, and the one before does not any more.
  const next = await makePassphrase(admin)
  expect((await backUp(shop))?.problems).toEqual([])
  const renewed = await openPlaceAt(addressOf(bucket), { passphrase: next }).open()
  expect((await renewed.read((await renewed.list()).at(-1)!)).secret).toBe(manifest.secret)
  await expect(openPlaceAt(addressOf(bucket), { passphrase }).open()).rejects.toThrow('is not the one')

  const { revision } = (await (
    await admin.call('GET', '/api/admin/settings/backups')
  ).json()) as SettingsGroup
  await saveGroup(admin, { revision, values: { bucket: '' } }, 'backups')
  expect((await read(admin)).places).toHaveLength(1)
  expect(await shop.mailbox.to(other.email, /no second place/)).toBeDefined()
})

test('the screen reaches no machine of the shop’s own network, neither when saved nor when connected', async () => {
  await using bucket = await openTestBucket()
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' }, hasWorkers: false, isEmpty: true })
  const admin = await shop.person({ role: 'admin' })
  const save = (endpoint: string, revision = 0) =>
    saveGroup(admin, { revision, values: { ...valuesOf(bucket), endpoint } }, 'backups')
  for (const endpoint of [
    'https://localhost',
    'https://10.0.0.7',
    'https://169.254.169.254',
    'https://[::1]',
    'https://2130706433',
    'http://s3.example.com',
    'https://s3.example.com:22',
    'https://user@s3.example.com',
  ])
    expect([endpoint, await save(endpoint)]).toMatchObject([
      endpoint,
      { status: 422, fields: { endpoint: /./ } },
    ])
  expect(await saveGroup(admin, { revision: 0, values: { is_public_only: false } }, 'backups')).toMatchObject(
    {
      status: 422,
    },
  )
  expect(await saveGroup(admin, { revision: 0, values: { passphrase: 'x' } }, 'backups')).toMatchObject({
    status: 422,
  })
  // As after a change of the rules, or of what a name leads to: each connection is checked.
  const { database, settings } = shop.services
  expect(await save('https://s3.example.com')).toEqual({ status: 200 })
  for (const endpoint of ['https://127.0.0.1:9000', valuesOf(bucket).endpoint]) {
    await database.pool.query(
      `update settings set fields = fields || jsonb_build_object('endpoint', $1::text) where name = 'backups'`,
      [endpoint],
    )
    await settings.refresh()
    expect(await tryPlace(admin)).toMatchObject({
      failed: 'write',
      reason: expect.stringContaining('the server is not on the internet'),
      advice: expect.stringContaining('BACKUP_URL'),
    })
  }
})

test('what is wrong with a bucket is said in words, and what BACKUP_URL names cannot be changed', async () => {
  await using bucket = await openTestBucket()
  await using shop = await openTestShop({ env: here, hasWorkers: false, isEmpty: true })
  const admin = await shop.person({ role: 'admin' })
  const lacking = await saveGroup(admin, { revision: 0, values: { bucket: 'books' } }, 'backups')
  expect(Object.keys(lacking.fields ?? {})).toEqual(['region', 'access_key', 'secret_key'])
  await saveGroup(admin, { revision: 0, values: { ...valuesOf(bucket), bucket: 'another' } }, 'backups')
  expect(await tryPlace(admin)).toMatchObject({
    failed: 'write',
    advice: 'The keys are known, and may not do this: allow s3:PutObject in this bucket.',
  })
  const refused = await saveGroup(
    admin,
    { revision: 1, values: { endpoint: 'https://s3.example.com' } },
    'backups',
  )
  // The stored key is for the server from before.
  expect(refused).toMatchObject({ status: 422, fields: { secret_key: 'Please enter the secret key.' } })

  const env = { ...here, BACKUP_URL: bucket.url, BACKUP_PASSPHRASE: 'correct horse battery' }
  await using fixed = await openTestShop({ env, hasWorkers: false, isEmpty: true })
  const owner = await fixed.person({ role: 'admin' })
  expect(await saveGroup(owner, { revision: 0, values: valuesOf(bucket) }, 'backups')).toMatchObject({
    code: 'settings.fixed',
  })
  expect((await call(owner, 'POST', 'passphrase')).body).toMatchObject({ code: 'settings.fixed' })
  expect(await read(owner)).toMatchObject({ passphrase: { state: 'variable' } })
})

test('a passphrase counts once it was entered as it was shown, by the admin who was shown it', async () => {
  await using shop = await openTestShop({ env: here, hasWorkers: false, isEmpty: true, clock })
  const [admin, other] = [await shop.person({ role: 'admin' }), await shop.person({ role: 'admin' })]
  const { offer, passphrase } = await offerTo(admin)
  expect(passphrase).toMatch(/^([a-hjkmnp-z]{5}-){4}[a-hjkmnp-z]{5}$/)
  expect(await call(admin, 'PUT', 'passphrase', { offer, passphrase: 'another' })).toMatchObject({
    status: 422,
  })
  const ended = { status: 409, body: { code: 'backups.offer_ended' } }
  expect(await call(other, 'PUT', 'passphrase', { offer, passphrase })).toMatchObject(ended)
  const second = await offerTo(other)
  expect((await call(admin, 'PUT', 'passphrase', { offer, passphrase })).status).toBe(200)
  expect(await call(other, 'PUT', 'passphrase', second)).toMatchObject({ status: 422 })
  const { passphrase: late, offer: lateOffer } = second
  expect(await call(other, 'PUT', 'passphrase', { offer: lateOffer, passphrase: late })).toMatchObject(ended)
})

test('changes are copied each hour, unless the last copy took long, or nothing has changed', async () => {
  await using bucket = await openTestBucket()
  await using shop = await openTestShop({ env: { ...here, TIME_ZONE: 'UTC' }, hasWorkers: false, clock })
  const { services } = shop
  const { pool } = services.database
  const admin = await shop.person({ role: 'admin' })
  await saveGroup(admin, { revision: 0, values: valuesOf(bucket) }, 'backups')
  await makePassphrase(admin)
  // No backup of the night is due in the hours after noon.
  const noon = new Date(`${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}T12:00:00Z`)
  time.ahead = noon.getTime() - Date.now()
  await backUp(shop)
  const count = async () => {
    const { rows } = await pool.query<{ started_by: string; place: string | null }>(
      `select started_by, place from backup_runs where kind = 'backup' and backup is not null and started_by <> 'test' order by started_at`,
    )
    const isHourly = { started_by: 'hourly', place: 's3://books/my-shop' }
    expect(rows).toEqual(rows.map(() => isHourly))
    return rows.length
  }
  const nextHour = async () => {
    time.ahead += 3_600_000
    await runDueBackup(services)
    return count()
  }
  const buy = async () => {
    const before = await countChanges(pool)
    await (await shop.person()).buy((await shop.product('digital')).id)
    await expect.poll(() => countChanges(pool), { timeout: 15_000 }).not.toBe(before)
  }
  // What was counted late may have been copied already.
  const first = await nextHour()
  expect(first).toBeLessThanOrEqual(1)
  expect(await nextHour()).toBe(await nextHour())

  await buy()
  const second = await nextHour()
  expect(second).toBeGreaterThan(first)
  // A run for the shop's own folder is none for this place, also where the names end alike.
  await buy()
  const started_at = new Date(clock().getTime() + 1_800_000)
  const ran = { kind: 'backup', backup: 'of the own folder', started_by: 'test', started_at } as const
  const place = '/data/s3://books/my-shop'
  await services.db
    .insert(backup_runs)
    .values({ id: randomUUID(), ...ran, finished_at: started_at, place, problems: [] })
  const third = await nextHour()
  expect(third).toBeGreaterThan(second)
  await pool.query(`update backup_runs set finished_at = started_at + interval '301 s'`)
  await buy()
  expect(await readHourly(services, services.backupTargets()[1]!)).toBe('slow')
  expect(await nextHour()).toBe(third)

  // A failing place is repeated as before, and the email about it is one a day.
  await pool.query(`update backup_runs set finished_at = started_at`)
  bucket.files.delete('my-shop/key.age')
  await nextHour()
  await nextHour()
  const { rows } = await pool.query(`select from pgboss.job where name = 'mail.backup-failed'`)
  expect(rows).toHaveLength(1)
})
