// The shell's commands, as a person runs them: processes of their own on a data folder of their own.
import { createHash } from 'node:crypto'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { readSums } from '../sales-sums.ts'
import { startProcess } from '../start-process.ts'
import { createTestDatabase } from '../database.ts'
import { openDatabase } from '#platform/db/client.ts'
import { ensureBuilt } from '#tools/build.ts'

beforeAll(() => ensureBuilt())

const root = join(import.meta.dirname, '../..')

/** A shell before a database without rows. */
async function openShell() {
  await using undo = new AsyncDisposableStack()
  const { url } = undo.use(await createTestDatabase())
  const folder = await mkdtempDisposable(join(tmpdir(), 'lectern-commands-'))
  undo.defer(() => folder.remove())
  const database = undo.use(openDatabase(url))
  const stack = undo.move()

  function run(tool: string, ...args: string[]) {
    const env = { DATABASE_URL: url, DATA_DIR: folder.path, NODE_ENV: 'production' }
    return startProcess(process.execPath, ['tools/start.ts', tool, ...args], { cwd: root, env }).ended
  }
  return { ...database, run, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

test('the shell makes an admin, gives and takes roles, and lists who has one', async () => {
  await using shell = await openShell()
  const made = await shell.run('admin', 'create', 'Miriam@books.example')
  expect(made).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/is admin now; the password is \S{16}\n/),
  })
  const [second, again, nobody] = await Promise.all([
    shell.run('admin', 'create', 'aaron@books.example', '--password', 'correct horse'),
    shell.run('admin', 'create', 'miriam@books.example'),
    shell.run('admin', 'grant', 'nobody@books.example'),
  ])
  expect([second.code, again.code, nobody.code]).toEqual([0, 1, 1])
  expect(nobody.stderr).toBe('Nobody has the address nobody@books.example.\n')

  await Promise.all([
    shell.run('admin', 'grant', 'aaron@books.example', 'moderator'),
    shell.run('admin', 'revoke', 'aaron@books.example'),
  ])
  const [listed, last] = await Promise.all([
    shell.run('admin', 'list'),
    shell.run('admin', 'revoke', 'miriam@books.example'),
  ])
  expect(listed.stdout).toBe('admin      miriam@books.example\nmoderator  aaron@books.example\n')
  expect(last.code).toBe(1)

  await shell.pool.query(`insert into auth.mfa_factors (id, user_id, status, secret)
    select gen_random_uuid(), id, 'verified', '' from auth.users where email = 'aaron@books.example'`)
  const [reset, without] = [
    await shell.run('admin', 'reset-factor', 'aaron@books.example'),
    await shell.run('admin', 'reset-factor', 'miriam@books.example'),
  ]
  expect(reset.stdout).toBe('aaron@books.example has no second factor any more, and must sign in again.\n')
  expect(without).toMatchObject({ code: 1, stderr: 'This account has no second factor.\n' })
  const { rows: samples } = await shell.pool.query('select format from products')
  expect(samples).toHaveLength(4)
  const { rows } = await shell.pool.query(
    "select action from audit_log where actor = 'shell' order by action",
  )
  expect(rows.map(({ action }) => action)).toEqual([
    'users.created',
    'users.created',
    'users.factors_reset',
    'users.role_granted',
    'users.role_revoked',
  ])
})

test('the shell makes a link to a new password, once and for an hour, and the second factor stays', async () => {
  await using shell = await openShell()
  const email = 'miriam@books.example'
  await shell.run('admin', 'create', email, '--password', 'correct horse')
  await shell.pool.query(`insert into auth.mfa_factors (id, user_id, status, secret)
    select gen_random_uuid(), id, 'verified', '' from auth.users`)
  await shell.pool.query(`insert into auth.sessions (id, user_id, salt, not_after, proved_at)
    select gen_random_uuid(), id, 'salt', now() + interval '1 day', now() from auth.users`)
  const made = await shell.run('admin', 'reset-password', 'Miriam@Books.example')
  expect(made).toMatchObject({ code: 0, stderr: '' })
  const link = new URL(made.stdout.split('\n')[0] ?? '')
  expect([link.origin, link.searchParams.get('type')]).toEqual(['http://localhost:3000', 'recovery'])
  expect(link.searchParams.get('redirect_to')).toBe('/admin')
  expect(made.stdout).toContain(`works once, for an hour. ${email} is signed out everywhere`)
  const again = await shell.run('admin', 'reset-password', email)
  const hash = createHash('sha256')
    .update(new URL(again.stdout.split('\n')[0] ?? '').searchParams.get('token_hash') ?? '')
    .digest()
  const { rows } = await shell.pool.query(`
    select (select array_agg(hash) from auth.one_time_tokens) as links,
      (select max(expires_at - created_at) = '1 hour' from auth.one_time_tokens) as is_hour,
      (select count(*) from auth.sessions where revoked_at is null) as sessions,
      (select count(*) from auth.mfa_factors) as factors,
      (select array_agg(action order by created_at, id) from audit_log where actor = 'shell' and subject = '${email}') as actions,
      (select count(*) from auth.audit_log where event = 'password_link_made') as events`)
  expect(rows).toEqual([
    {
      links: [hash],
      is_hour: true,
      sessions: 0,
      factors: 1,
      actions: ['users.created', 'users.password_link_made', 'users.password_link_made'],
      events: 2,
    },
  ])
  expect(await shell.run('admin', 'reset-password', 'nobody@books.example')).toMatchObject({
    code: 1,
    stderr: 'Nobody has the address nobody@books.example.\n',
  })
  await shell.pool.query(`update auth.users set banned_until = now() + interval '1 day'`)
  expect(await shell.run('admin', 'reset-password', email)).toMatchObject({
    code: 1,
    stderr: 'This account is disabled.\n',
  })
})

test('the demo fills a shop whole, leaves its tables as they were, and adds only when forced', async () => {
  await using shell = await openShell()
  const before = await partsOfTables(shell)
  const filled = await shell.run('demo', '--users', '50', '--purchases', '3000')
  expect(filled).toMatchObject({ code: 0, stdout: expect.stringContaining('50 readers') })
  expect(await partsOfTables(shell)).toEqual(before)

  const { kept, counted, wrongUsers } = await readSums(shell)
  expect(wrongUsers).toEqual([])
  expect(kept).toEqual(counted)
  const count = async () => {
    const { rows } = await shell.pool.query(`
      select (select count(*) from purchases) as purchases, (select count(*) from profiles) as people,
        (select count(*) from auth.users) as accounts, (select sum(users) from user_count) as counted,
        (select count(*) from purchases p join profiles u using (user_id) where p.created_at < u.created_at) as too_early,
        (select count(*) from purchases where refunded > 0) = (select count(*) from adjustments) as is_refunded`)
    return rows[0]
  }
  const whole = { purchases: 3000, people: 50, accounts: 50, counted: 50, too_early: 0, is_refunded: true }
  expect(await count()).toEqual(whole)

  expect((await shell.run('demo')).stderr).toMatch(/has purchases already/)
  expect((await shell.run('demo', '--users', '5', '--purchases', '20', '--force')).code).toBe(0)
  expect(await count()).toEqual({ ...whole, purchases: 3020, people: 55, accounts: 55, counted: 55 })
})

/** Indexes, constraints and triggers, with whether these are on. */
async function partsOfTables({ pool }: Awaited<ReturnType<typeof openShell>>) {
  const { rows } = await pool.query(`
    select indexdef as part from pg_indexes where schemaname in ('public', 'auth')
    union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
      where connamespace in ('public'::regnamespace, 'auth'::regnamespace)
    union all select tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text from pg_trigger where not tgisinternal
    order by part`)
  return rows.map(({ part }) => part as string)
}
