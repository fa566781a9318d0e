// Accounts in the admin area: found, sorted, changed, and never without an admin.
import { expect, test } from 'vitest'
import { hourMs } from '#contract/durations.ts'
import type { UserDetail, UserList } from '#contract/accounts/users.ts'
import { given } from '#test/given.ts'
import { giveFactor, giveProfiles } from '#test/factories.ts'
import { password } from '#test/auth-client.ts'
import { withFactor } from '#test/second-factor.ts'
import { openPaidShop, startLiveStripe } from '#test/paying.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { clock, time } from '#test/time.ts'
import type { Person } from '#test/users.ts'

async function list(admin: Person, query = '') {
  const response = await admin.call('GET', `/api/admin/users?${query}`)
  expect(response.status).toBe(200)
  return (await response.json()) as UserList
}

async function addUsers({ services }: TestShop, count: number) {
  await giveProfiles(services.db, count, (n) => ({
    display_name: `Person ${n}`,
    created_at: new Date(Date.now() - n * hourMs),
  }))
}

test('every order pages through everybody once, forwards and backwards', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  await addUsers(shop, 130)
  const { id } = await shop.product('digital')
  await admin.buy(id)
  for (const sort of ['name', 'role', 'purchases', 'spent', 'last', 'joined']) {
    for (const dir of ['asc', 'desc']) {
      const seen: string[] = []
      let after: string | null = ''
      do {
        const page: UserList = await list(admin, `sort=${sort}&dir=${dir}${after && `&after=${after}`}`)
        expect(page.total).toBe(131)
        seen.push(...page.items.map(({ user_id }) => user_id))
        after = page.next
      } while (after)
      expect([sort, dir, seen.length, new Set(seen).size]).toEqual([sort, dir, 131, 131])
      if (sort === 'spent') expect(seen.indexOf(admin.id)).toBe(dir === 'desc' ? 0 : 130)
    }
  }
  expect((await admin.call('GET', '/api/admin/users?after=nonsense')).status).toBe(422)
})

test('a search finds parts of names and addresses, and takes wildcards as they are', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  await shop.person({ email: 'ruth@moab.example', display_name: 'Ruth 100%' })
  await addUsers(shop, 5)
  const found = async (q: string) =>
    (await list(admin, `q=${encodeURIComponent(q)}`)).items.map(({ email }) => email)
  expect(await found('RUTH')).toEqual(['ruth@moab.example'])
  expect(await found('moab')).toEqual(['ruth@moab.example'])
  expect(await found('0%')).toEqual(['ruth@moab.example'])
  expect(await found('%%%')).toEqual([])
  const { shown, total, has_test_orders } = await list(admin, 'q=Person')
  expect([shown, total, has_test_orders]).toEqual([{ count: 5, isMore: false }, 7, false])
})

test('a search that many fit finds all of them in every order, wherever in it they are', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  // More users than the walk passes: the first to join are found by the index only.
  await giveProfiles(shop.services.db, 12_100, (n) => ({
    display_name: n > 11_000 ? 'Early Bird' : 'Late Riser',
    created_at: new Date(Date.now() - n * 60_000),
  }))
  await shop.services.database.pool.query('analyze profiles')
  const early = new Set<string>()
  let after = ''
  for (let pages = 0; pages < 22; pages++) {
    const page = await list(admin, `q=early+bird&after=${after}`.replace(/&after=$/, ''))
    for (const { display_name, email } of page.items) {
      expect(display_name).toBe('Early Bird')
      early.add(email)
    }
    after = page.next ?? ''
    if (!after) break
  }
  expect([early.size, after]).toEqual([1100, ''])

  const late = await list(admin, 'q=late+riser&sort=spent&dir=asc')
  expect([late.items.length, late.shown, late.total]).toEqual([50, { count: 1000, isMore: true }, 12_101])
  const [rare] = (await list(admin, 'q=P12077@EXAMPLE')).items
  expect(rare).toMatchObject({ email: 'p12077@example.com', display_name: 'Early Bird' })
  expect((await list(admin, 'q=bird+early')).items).toEqual([])
})

test('an account lists what its user bought', async () => {
  await using stripe = await startLiveStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const buyer = await shop.person()
  await given.purchase(shop, stripe, { person: buyer })
  await given.purchase(shop, stripe, { person: buyer, format: 'paperback', status: 'pending' })
  const user = (await (await admin.call('GET', `/api/admin/users/${buyer.id}`)).json()) as UserDetail
  expect(user).toMatchObject({
    email: buyer.email,
    roles: ['user'],
    total_purchases: 2,
    total_spent: 14.99,
    is_verified: true,
    is_disabled: false,
    sessions: 1,
  })
  expect(user.last_purchase).not.toBeNull()
})

test('an account made in the admin area can sign in at once, and its address is taken', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const body = { email: 'New@Example.com', password: 'secret-1', displayName: 'New', role: 'admin' }
  expect((await admin.call('POST', '/api/admin/users', { body })).status).toBe(201)
  const response = await shop.call('POST', '/auth/v1/token?grant_type=password', {
    body: { email: 'new@example.com', password: 'secret-1' },
  })
  expect(response.status).toBe(200)
  const again = await admin.call('POST', '/api/admin/users', { body })
  expect([again.status, ((await again.json()) as { code: string }).code]).toEqual([
    409,
    'accounts.email_taken',
  ])
  const { rows } = await shop.services.database.pool.query(
    'select actor, action, subject, detail from audit_log',
  )
  expect(rows).toEqual([
    { actor: admin.email, action: 'users.created', subject: 'new@example.com', detail: { role: 'admin' } },
  ])
})

test('two admins who demote each other at the same moment leave one', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  for (let round = 0; round < 5; round += 1) {
    const two = [await shop.person({ role: 'admin' }), await shop.person({ role: 'admin' })] as const
    await shop.services.database.pool.query(
      `delete from user_roles where role = 'admin' and user_id <> all ($1)`,
      [two.map(({ id }) => id)],
    )
    const statuses = await Promise.all([
      two[0].call('DELETE', `/api/admin/users/${two[1].id}/roles/admin`),
      two[1].call('DELETE', `/api/admin/users/${two[0].id}/roles/admin`),
    ])
    const { rows } = await shop.services.database.pool.query(`select from user_roles where role = 'admin'`)
    expect(rows).toHaveLength(1)
    expect(statuses.filter(({ status }) => status === 200)).toHaveLength(1)
  }
})

test('a disabled account is out at the next call, and in again when enabled; nobody disables themselves', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const user = await shop.person()
  const setDisabled = (person: Person, is_disabled: boolean) =>
    admin.call('PUT', `/api/admin/users/${person.id}/disabled`, { body: { is_disabled } })
  expect((await setDisabled(user, true)).status).toBe(200)
  expect((await user.call('GET', '/api/me')).status).toBe(401)
  const credentials = { email: user.email, password: user.password }
  const signIn = () => shop.call('POST', '/auth/v1/token?grant_type=password', { body: credentials })
  expect((await signIn()).status).toBe(403)
  expect((await setDisabled(user, false)).status).toBe(200)
  expect((await signIn()).status).toBe(200)
  expect((await setDisabled(admin, true)).status).toBe(409)
})

test('sessions ended in the admin area are over, and a verification is sent again only where it is missing', async () => {
  await using shop = await openTestShop()
  const admin = await shop.person({ role: 'admin' })
  const user = await shop.person()
  expect((await admin.call('DELETE', `/api/admin/users/${user.id}/sessions`)).status).toBe(200)
  expect((await user.call('GET', '/api/me')).status).toBe(401)
  const path = `/api/admin/users/${user.id}/verification`
  expect((await admin.call('POST', path, { body: {} })).status).toBe(409)
  await shop.services.database.pool.query('update auth.users set email_confirmed_at = null where id = $1', [
    user.id,
  ])
  expect((await admin.call('POST', path, { body: {} })).status).toBe(200)
  expect((await shop.mailbox.to(user.email, /confirm|verify/i)).subject).toBeTruthy()
})

test('an admin who has proven who it is resets a second factor; its owner is signed out and told', async () => {
  await using shop = await openTestShop({ clock, env: { RATE_LIMIT: 'off' } })
  const admin = await shop.person({ role: 'admin' })
  const { user_id, email, auth } = await withFactor(shop)
  const path = `/api/admin/users/${user_id}`
  const reset = (body = {}) => admin.call('POST', `${path}/factor-reset`, { body })
  const read = async () => (await (await admin.call('GET', path)).json()) as UserDetail
  expect((await read()).factors).toBe(1)

  time.ahead = 10 * 60_000
  const stale = await reset()
  expect([stale.status, await stale.json()]).toMatchObject([400, { code: 'auth.reauthentication_needed' }])
  const guess = await reset({ current_password: 'a guess' })
  expect(await guess.json()).toMatchObject({ code: 'auth.invalid_credentials' })
  const done = await reset({ current_password: admin.password })
  expect([done.status, await done.json()]).toMatchObject([200, { factors: 0, sessions: 0 }])
  expect((await auth.getUser()).error?.name).toBe('AuthSessionMissingError')
  expect((await auth.signInWithPassword({ email, password })).error).toBeNull()
  const notice = await shop.mailbox.to(email, /second factor .* was reset/)
  expect(notice.text).toContain('An admin of this shop')
  const log = await admin.call('GET', '/api/admin/audit?q=reset')
  expect(await log.json()).toMatchObject({
    items: [{ actor: admin.email, action: 'users.factors_reset', subject: email }],
  })
  expect((await reset({ current_password: admin.password })).status).toBe(409)

  await giveFactor(shop.services.db, admin.id)
  await shop.services.database.pool.query(
    `update auth.sessions set aal = 'aal2' where user_id = '${admin.id}'`,
  )
  expect(await (await reset({ current_password: admin.password })).json()).toMatchObject({
    code: 'auth.insufficient_aal',
  })
})

test('a user’s page leads to who joined next and before', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const [first, second, third] = [await shop.person(), await shop.person(), await shop.person()]
  const beside = async ({ id }: { id: string }) =>
    ((await (await admin.call('GET', `/api/admin/users/${id}`)).json()) as UserDetail).neighbors
  expect(await beside(second)).toEqual({ newer: third.id, older: first.id })
  expect(await beside(third)).toEqual({ newer: null, older: second.id })
})

// Names are found however they are typed: with or without accents, in large letters, in full width.

test('users and orders are found by their buyers’ names without accents, and with them', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const names = [
    'José Núñez',
    'Jörg Müller',
    'Łukasz Żółć',
    'Zoë Brontë',
    'Straße Ægir',
    'Ｔａｎａｋａ',
    'Ольга Йорк',
  ]
  for (const display_name of names) {
    const person = await shop.person({ display_name })
    await person.buy((await shop.product('digital')).id)
  }
  const found = async (list: string, q: string) => {
    const response = await admin.call('GET', `/api/admin/${list}?q=${encodeURIComponent(q)}`)
    const { items } = (await response.json()) as { items: { display_name: string }[] }
    return items.map(({ display_name }) => display_name)
  }
  const searches = ['jose nunez', 'JORG', 'lukasz zolc', 'zoe bronte', 'strasse aegir', 'tanaka', 'ОЛЬГА']
  for (const list of ['users', 'purchases'])
    for (const [nth, q] of searches.entries()) {
      expect([q, await found(list, q)]).toEqual([q, [names[nth]]])
      expect([q, await found(list, names[nth]!)]).toEqual([q, [names[nth]]])
    }
  expect(await found('users', '100%_\\')).toEqual([])
})
