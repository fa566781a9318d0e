// `lectern check`, as the owner of a shop runs it: against real servers, in every state that has a remedy.
import { chmod, mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startStripe } from '@lectern/stripe-stand-in'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { openDatabase } from '#platform/db/client.ts'
import { ensureBuilt } from '#tools/build.ts'
import { createTestDatabase } from '../database.ts'
import { openTestBucket, s3Environment } from '../s3.ts'
import { openSmtpServer } from '../smtp.ts'
import { startProcess } from '../start-process.ts'

beforeAll(() => ensureBuilt())

const root = join(import.meta.dirname, '../..')
const report = z.object({
  is_good: z.boolean(),
  findings: z.array(
    z.object({ name: z.string(), state: z.string(), says: z.string(), advice: z.string().optional() }),
  ),
})

async function openTarget() {
  await using undo = new AsyncDisposableStack()
  const { url } = undo.use(await createTestDatabase())
  const folder = await mkdtempDisposable(join(tmpdir(), 'lectern-check-'))
  undo.defer(() => folder.remove())
  const dataDir = join(folder.path, 'data')
  await mkdir(dataDir)
  await writeFile(join(dataDir, 'secret'), 'x'.repeat(43), { mode: 0o600 })
  const stack = undo.move()
  const base = {
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    NODE_ENV: 'production',
    SITE_URL: 'http://localhost:9',
  }
  const run = (env: Record<string, string> = {}, ...args: string[]) =>
    startProcess(process.execPath, ['tools/start.ts', 'check', ...args], {
      cwd: root,
      env: { ...base, ...env },
    }).ended
  return {
    url,
    dataDir,
    run,
    async check(env: Record<string, string> = {}) {
      const { stdout, stderr, code } = await run(env, '--json')
      const { is_good, findings } = report.parse(JSON.parse(stdout || `{"error":${JSON.stringify(stderr)}}`))
      expect(code).toBe(is_good ? 0 : 1)
      const states = Object.fromEntries(findings.map(({ name, state }) => [name, state]))
      const find = (name: string) => findings.filter((each) => each.name === name)
      return { stdout, states, find }
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

test('where all is set up, each service is tried, no mail is sent and nothing stays in the bucket', async () => {
  await using place = await openTarget()
  await using smtp = await openSmtpServer()
  await using bucket = await openTestBucket()
  await using stripe = await startStripe()
  const env = {
    ...s3Environment,
    ...stripe.env,
    SMTP_URL: smtp.url,
    BACKUP_URL: bucket.url,
    STORAGE_URL: bucket.url,
  }
  const { states, find, stdout } = await place.check({ ...env, SITE_URL: 'http://localhost:9' })
  expect(states).toEqual({
    Settings: 'ok',
    'Data folder': 'ok',
    Disk: expect.stringMatching(/ok|warn/),
    Database: 'ok',
    Version: 'ok',
    Clock: 'ok',
    Files: 'ok',
    Storage: 'ok',
    'Backup place': 'ok',
    Backup: 'warn',
    'Backup elsewhere': 'ok',
    Rehearsal: 'warn',
    Mail: 'ok',
    Payments: 'warn',
    Checkout: 'ok',
    Webhook: 'warn',
    Address: 'wrong',
  })
  expect(find('Webhook')[0]?.says).toBe('Stripe has none for http://localhost:9/api/stripe/webhook')
  expect([smtp.emails, [...bucket.files.keys()]]).toEqual([[], []])
  for (const secret of [stripe.env['STRIPE_SECRET_KEY'] ?? '', stripe.env['STRIPE_WEBHOOK_SECRET'] ?? ''])
    expect(stdout).not.toContain(secret)

  // In the words of the list of faults.
  stripe.denied.add('key')
  const refused = await place.check(env)
  expect(refused.find('Payments')).toMatchObject([
    {
      state: 'wrong',
      says: expect.stringMatching(/^Stripe does not accept the shop’s key, so nobody can pay\. It says: /),
    },
  ])
})

test('what stops sales, mail or saving is wrong, with what to do, and no secret is shown', async () => {
  await using place = await openTarget()
  await using smtp = await openSmtpServer('refuses the password')
  await chmod(join(place.dataDir, 'secret'), 0o644)
  const env = {
    SMTP_URL: smtp.url.replace('//', '//books:hunter2hunter2@'),
    BACKUP_URL: 's3://books?region=eu-central-1&endpoint=http://127.0.0.1:9&timeout=1',
    BACKUP_PASPHRASE: 'a passphrase that is misspelt',
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_ACCESS_KEY_ID: '',
    AWS_SECRET_ACCESS_KEY: '',
  }
  const { states, find, stdout } = await place.check(env)
  expect(states).toMatchObject({
    Settings: 'warn',
    'Data folder': 'warn',
    'Backup place': 'wrong',
    Mail: 'wrong',
    Payments: 'warn',
    Webhook: 'ok',
    Address: 'wrong',
  })
  expect(find('Settings')[0]?.says).toContain(
    'BACKUP_PASPHRASE is not a setting: did you mean BACKUP_PASSPHRASE?',
  )
  expect(find('Data folder')[0]?.advice).toContain(`chmod -R go= ${join(place.dataDir, 'secret')}`)
  expect(find('Backup place')[0]?.says).toContain('set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
  expect(find('Mail')[0]?.says).toContain('535')
  for (const secret of ['hunter2', 'a passphrase']) expect(stdout).not.toContain(secret)
})

test('a role that may not create tables is named, and PORT says what a port is', async () => {
  await using place = await openTarget()
  await using database = openDatabase(place.url, { max: 1 })
  const role = `reader_${crypto.randomUUID().slice(0, 8)}`
  const { rows } = await database.pool.query('select current_database() as name')
  const [{ name }] = z.tuple([z.object({ name: z.string() })]).parse(rows)
  await database.pool.query(`create role ${role} login password 'reader'`)
  try {
    await database.pool.query(`revoke create on database ${name} from public`)
    const url = place.url.replace(/\/\/[^@]*@/, `//${role}:reader@`)
    const { find } = await place.check({ DATABASE_URL: url })
    expect(find('Database')[0]).toMatchObject({
      state: 'wrong',
      says: expect.stringContaining('alter database'),
    })
    await using empty = await createTestDatabase({ empty: true })
    const started = await startProcess(process.execPath, ['tools/start.ts', 'start'], {
      cwd: root,
      env: {
        DATABASE_URL: empty.url.replace(/\/\/[^@]*@/, `//${role}:reader@`),
        DATA_DIR: place.dataDir,
        PORT: '0',
      },
    }).ended
    expect(started).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('may not create schemas and tables'),
    })
  } finally {
    await database.pool.query(`drop role ${role}`)
  }
  const refused = await place.run({ PORT: 'abc' })
  expect(refused.code).toBe(1)
  expect(refused.stdout).toContain('PORT must be a whole number from 0 to 65535')
})

test('a password of any characters works beside an address without one, as compose.yaml has it', async () => {
  await using place = await openTarget()
  await using database = openDatabase(place.url, { max: 1 })
  const role = `shop_${crypto.randomUUID().slice(0, 8)}`
  const PGPASSWORD = 'p@ss:w/rd%41 #?&'
  await database.pool.query(`create role ${role} superuser login password '${PGPASSWORD}'`)
  try {
    const DATABASE_URL = place.url.replace(/\/\/[^@]*@/, `//${role}@`)
    const { states } = await place.check({ DATABASE_URL, PGPASSWORD })
    expect(states['Database']).toBe('ok')
    const { find, stdout } = await place.check({ DATABASE_URL, PGPASSWORD: 'another one' })
    expect(find('Database')[0]?.says).toMatch(/password authentication failed/)
    expect(stdout).not.toContain('another one')
  } finally {
    await database.pool.query(`drop role ${role}`)
  }
})

test('a backup and a rehearsal at each place have their ages, and saving that has stopped is wrong', async () => {
  await using place = await openTarget()
  const folders = [join(place.dataDir, 'backups/backups'), join(place.dataDir, '../copies/backups')]
  const nameOf = (days: number) =>
    new Date(Date.now() - days * 86_400_000).toISOString().replaceAll(/[:.]/g, '-')
  const put = async (folder: string, days: number) => {
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, `${nameOf(days)}.json`), '{}')
  }
  const [own = '', copies = ''] = folders
  await using database = openDatabase(place.url, { max: 1 })
  await put(own, 5)
  await database.pool.query(
    `insert into backup_runs (id, kind, started_by) values (gen_random_uuid(), 'restore', 'shell')`,
  )
  const alone = await place.check()
  expect(alone.find('Backup')).toMatchObject([
    { state: 'wrong', says: expect.stringContaining('is 5 days old') },
  ])
  await put(copies, 0.5)
  await database.pool.query(
    `insert into backup_states (kind, place, succeeded_at, seen_at)
     values ('rehearsal', $1, now() - interval '3 days', now() - interval '1 day')`,
    [join(place.dataDir, 'backups')],
  )
  const both = await place.check({ BACKUP_URL: `file:${join(copies, '..')}` })
  expect(both.find('Backup').map(({ state }) => state)).toEqual(['warn', 'ok'])
  expect(both.find('Rehearsal')).toMatchObject([
    { state: 'ok', says: expect.stringContaining('was tried 3 days ago') },
    { state: 'warn', says: expect.stringContaining('was tried yet') },
  ])
  await database.pool.query(
    `update backup_states set failing_since = now(), problem = 'it is damaged' || chr(10) || 'and more'`,
  )
  expect((await place.check()).find('Rehearsal')).toMatchObject([
    { state: 'warn', says: expect.stringMatching(/the last one from .+ found: it is damaged$/) },
  ])
})

test('a backup that the place refused, or that would go beside those of other data, is wrong, however young the newest is', async () => {
  await using place = await openTarget()
  const copies = join(place.dataDir, '../copies')
  await mkdir(join(copies, 'backups'), { recursive: true })
  const name = new Date().toISOString().replaceAll(/[:.]/g, '-')
  await writeFile(join(copies, `backups/${name}.json`), '{}')
  const find = async () => (await place.check({ BACKUP_URL: `file:${copies}` })).find('Backup')[1]
  expect(await find()).toMatchObject({
    state: 'wrong',
    says: expect.stringContaining('backups of other data'),
  })

  await using database = openDatabase(place.url, { max: 1 })
  await database.pool.query(
    `insert into backup_runs (id, kind, started_by, backup) values (gen_random_uuid(), 'backup', 'test', $1)`,
    [name],
  )
  expect(await find()).toMatchObject({ state: 'ok' })
  await database.pool.query(
    `insert into backup_states (kind, place, failing_since, problem) values ('backup', $1, now(), 'It is read-only.')`,
    [copies],
  )
  expect(await find()).toMatchObject({ state: 'wrong', says: expect.stringContaining('It is read-only.') })
})
