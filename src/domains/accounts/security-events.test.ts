// What admins see of what happens to accounts, and that strangers cannot fill the disk with it.
import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import type { SecurityEvent } from '#contract/accounts/users.ts'
import { someone } from '#test/auth-client.ts'
import { codeOf, halfSignedIn, nextStep, tokenOf, withFactor, wrongCode } from '#test/second-factor.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import type { Person } from '#test/users.ts'
import { clock } from '#test/time.ts'
import { maxRows, maxRowsOfNetwork, recordRefusedSignIn, recordWrongProof } from './limits.ts'

/** The tests that find their own rows in any shop share this one. */
const shop = await openTestShop({ isEmpty: true, hasWorkers: false })
afterAll(() => shop[Symbol.asyncDispose]())

type SecurityEventPage = { items: SecurityEvent[]; next: string | null }

async function list(admin: Person, query = ''): Promise<SecurityEventPage> {
  const response = await admin.call('GET', `/api/admin/security-events?${query}`)
  expect(response.status).toBe(200)
  return (await response.json()) as SecurityEventPage
}

function guess(shop: TestShop, email: string) {
  const body = { email, password: 'a secret guess' }
  return shop.call('POST', '/auth/v1/token?grant_type=password', { body })
}

test('refused sign-ins are counted by the hour, and without the password', async () => {
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  for (let n = 0; n < 12; n++) await guess(shop, user.email)

  const about = await list(admin, `q=${encodeURIComponent(user.email)}`)
  const refused = about.items.filter(({ kind }) => kind.startsWith('sign_in'))
  expect(refused).toMatchObject([
    { kind: 'sign_in_blocked', email: user.email, attempts: 2, ip: expect.any(String) },
    { kind: 'sign_in_failed', email: user.email, attempts: 10 },
  ])
  expect((await list(admin, 'kind=sign_in_failed')).items).toHaveLength(1)
  expect((await admin.call('GET', '/api/admin/security-events?kind=nonsense')).status).toBe(422)
  expect((await admin.call('GET', '/api/admin/security-events?after=nonsense')).status).toBe(422)
  const { rows } = await shop.services.database.pool.query('select l::text as text from auth.audit_log l')
  expect(JSON.stringify(rows)).not.toContain('a secret guess')
})

test('a granted and a revoked role, a disabled account and ended sessions are security events', async () => {
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { admin: accounts } = shop.services.auth
  await shop.services.db.transaction(async (tx) => {
    await accounts.setRole(tx, user.id, 'moderator', true)
    await accounts.setRole(tx, user.id, 'moderator', false)
    const noProof = () => Promise.reject(new Error('no admin'))
    await accounts.endSessions(tx, user.id, noProof)
    await accounts.setDisabled(tx, user.id, true, noProof)
  })
  const { items } = await list(admin, `q=${encodeURIComponent(user.email)}`)
  expect(new Set(items.map(({ kind }) => kind))).toEqual(
    new Set([
      'role_granted',
      'role_revoked',
      'sessions_ended_by_admin',
      'account_disabled',
      'account_made_by_hand',
    ]),
  )
  expect(items.find(({ kind }) => kind === 'role_granted')).toMatchObject({
    user_id: user.id,
    email: user.email,
    detail: { role: 'moderator' },
  })
})

test('wrong codes and wrong current passwords are counted by the hour, with their account', async () => {
  await using shop = await openTestShop({ isEmpty: true, hasWorkers: false, clock })
  const admin = await shop.person({ role: 'admin' })
  const owner = await withFactor(shop)
  nextStep()
  await owner.auth.mfa.challengeAndVerify({ ...owner, code: codeOf(owner.secret) })
  const half = await halfSignedIn(shop, owner.email)
  for (let n = 0; n < 3; n++) {
    await half.auth.mfa.challengeAndVerify({ ...owner, code: wrongCode(owner.secret) })
  }
  const token = await tokenOf(owner)
  const guess = { current_password: 'a secret guess' }
  const attempts: [method: string, path: string, body?: object][] = [
    ['POST', '/factors', { factor_type: 'totp' }],
    ['DELETE', `/factors/${owner.factorId}`],
    ['PUT', '/user', { password: 'another password' }],
    ['POST', '/logout?scope=others'],
  ]
  for (const [method, path, body] of attempts) {
    const response = await shop.call(method, `/auth/v1${path}`, { body: { ...body, ...guess }, token })
    expect(response.status, path).toBe(400)
  }
  const { items } = await list(admin, `q=${encodeURIComponent(owner.email)}`)
  const about = { user_id: owner.user_id, email: owner.email, ip: expect.any(String) }
  expect(items.filter(({ kind }) => kind.startsWith('wrong_'))).toMatchObject([
    { kind: 'wrong_password', attempts: 4, ...about },
    { kind: 'wrong_code', attempts: 3, ...about },
  ])
  expect((await list(admin, 'kind=wrong_code')).items).toHaveLength(1)
  const { rows } = await shop.services.database.pool.query('select l::text as text from auth.audit_log l')
  expect(JSON.stringify(rows)).not.toContain('a secret guess')
})

test('wrong codes are listed with their account, also when other addresses have filled the hour’s rows', async () => {
  const { db, database } = shop.services
  const now = new Date('2026-06-01T12:30:00Z')
  const wrong = { event: 'wrong_code', user_id: randomUUID(), network: '198.51.100.1' } as const
  for (let n = 0; n < maxRows + 5; n++) {
    const network = `203.0.${n >> 8}.${n & 255}`
    await recordRefusedSignIn(db, { event: 'sign_in_failed', email: someone(), network }, now)
  }
  await recordWrongProof(db, wrong, now)
  await recordWrongProof(db, { ...wrong, network: '198.51.100.2' }, now)
  await recordWrongProof(db, wrong, new Date('2026-06-01T13:00:00Z'))
  const { rows } = await database.pool.query(
    `select user_id, attempts from auth.audit_log where event = 'wrong_code' order by created_at`,
  )
  expect(rows).toEqual([
    { user_id: wrong.user_id, attempts: 2 },
    { user_id: wrong.user_id, attempts: 1 },
  ])
})

test('an attack from everywhere with every address leaves a bounded number of rows, read page by page', async () => {
  await using shop = await openTestShop({ isEmpty: true, hasWorkers: false })
  const { db, database, auth } = shop.services
  const now = new Date('2026-06-01T12:30:00Z')
  const refuse = (network: string, email = someone()) =>
    recordRefusedSignIn(db, { event: 'sign_in_failed', email: email.padEnd(250, 'x'), network }, now)
  for (let n = 0; n < maxRowsOfNetwork + 10; n++) await refuse('198.51.100.1')
  for (let n = 0; n < maxRows + 20; n++) await refuse(`203.0.113.${n}`)
  const { rows } = await database.pool.query(`
    select count(*) as rows, sum(attempts) as attempts, max(length(email)) as longest from auth.audit_log`)
  const attempts = maxRowsOfNetwork + 10 + maxRows + 20
  expect(rows).toEqual([{ rows: maxRows + 1, attempts, longest: 100 }])

  const admin = await shop.person({ role: 'admin' })
  const ids: string[] = []
  for (let next: string | null = ''; next !== null;) {
    const page: SecurityEventPage = await list(
      admin,
      `kind=sign_in_failed&after=${next}`.replace(/&after=$/, ''),
    )
    ids.push(...page.items.map(({ id }) => id))
    next = page.next
  }
  expect([ids.length, new Set(ids).size]).toEqual([maxRows + 1, maxRows + 1])

  await database.pool.query(
    "update auth.audit_log set created_at = now() - interval '89 days' where id = $1",
    [ids[0]],
  )
  await database.pool.query(
    "update auth.audit_log set created_at = now() - interval '91 days' where id <> $1",
    [ids[0]],
  )
  await auth.sweep()
  expect((await list(admin)).items.map(({ id }) => id)).toEqual([ids[0]])
})
