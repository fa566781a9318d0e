// Accounts that nobody signed up for: made in the admin area, made by the settings, and what is swept away.
import { afterAll, expect, test } from 'vitest'
import { dayMs, hourMs } from '#contract/durations.ts'
import { linkIn, mailsTo, openBrowser, password, signedIn, someone } from '#test/auth-client.ts'
import { openTestShop } from '#test/shop.ts'
import { clock, time } from '#test/time.ts'

const shop = await openTestShop({ clock, isEmpty: true, env: { RATE_LIMIT: 'off' } })
afterAll(() => shop[Symbol.asyncDispose]())
const { auth, database } = shop.services

async function signIn(email: string, secret: string) {
  const { auth: browser } = await openBrowser(shop.url)
  const { error } = await browser.signInWithPassword({ email, password: secret })
  return error?.code ?? 'in'
}

async function rowsOf(email: string) {
  const { rows } = await database.pool.query(
    `select u.id, u.email_confirmed_at is not null as confirmed, p.display_name,
            array(select role from user_roles r where r.user_id = u.id order by role) as roles
     from auth.users u left join profiles p on p.user_id = u.id where u.email = $1`,
    [email],
  )
  return rows
}

async function signUp(email: string, secret: string) {
  const { auth: browser } = await openBrowser(shop.url)
  await browser.signUp({ email, password: secret })
  const [mail] = await mailsTo(shop, email, 1)
  return () => browser.verifyOtp(linkIn(mail!))
}

test('an account made in the admin area works at once, with its profile and role', async () => {
  const email = someone()
  const { user_id } = await auth.createAccount({ email, password, display_name: 'Ruth', role: 'admin' })
  expect(await rowsOf(email)).toEqual([
    { id: user_id, confirmed: true, display_name: 'Ruth', roles: ['admin'] },
  ])
  expect(await signIn(email, password)).toBe('in')
  const again = auth.createAccount({ email, password: 'another', role: 'user' })
  await expect(again).rejects.toMatchObject({ code: 'accounts.email_taken' })
  expect(await signIn(email, password)).toBe('in')
})

test('of five made at once with one address, one is made', async () => {
  const email = someone()
  const made = await Promise.allSettled(
    Array.from({ length: 5 }, () => auth.createAccount({ email, password, role: 'user' })),
  )
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await rowsOf(email)).toHaveLength(1)
})

test('a sign-up never confirmed does not keep an address from the admin area', async () => {
  const email = someone()
  const press = await signUp(email, 'of a stranger')
  await auth.createAccount({ email, password, role: 'user' })
  expect((await press()).error?.code).toBe('otp_expired')
  expect(await signIn(email, password)).toBe('in')
  expect(await signIn(email, 'of a stranger')).toBe('invalid_credentials')
})

test('the admin of the settings exists after a start, whatever was there before', async () => {
  const fresh = someone()
  await Promise.all([1, 2, 3].map(() => auth.ensureAdmin(fresh, password)))
  expect(await rowsOf(fresh)).toMatchObject([{ confirmed: true, roles: ['admin', 'user'] }])
  expect(await signIn(fresh, password)).toBe('in')

  const { email: existing } = await signedIn(shop)
  await auth.ensureAdmin(existing, 'of the settings')
  expect(await rowsOf(existing)).toMatchObject([{ roles: ['admin', 'user'] }])
  expect(await signIn(existing, password)).toBe('in')
  expect(await signIn(existing, 'of the settings')).toBe('invalid_credentials')

  const squatted = someone()
  const press = await signUp(squatted, 'of a stranger')
  await auth.ensureAdmin(squatted, password)
  expect((await press()).error?.code).toBe('otp_expired')
  expect(await signIn(squatted, password)).toBe('in')
  expect(await signIn(squatted, 'of a stranger')).toBe('invalid_credentials')

  const withoutPassword = someone()
  await auth.ensureAdmin(withoutPassword)
  expect(await signIn(withoutPassword, '')).toBe('invalid_credentials')
  await auth.ensureAdmin(withoutPassword, password)
  expect(await signIn(withoutPassword, password)).toBe('in')
})

test('a role and a password given by the settings are security events, each once', async () => {
  const eventsOf = async (email: string) => {
    const { rows } = await database.pool.query(
      `select event, detail from auth.audit_log join auth.users u on u.id = user_id
        where u.email = $1 and detail ->> 'by' = 'settings' order by event`,
      [email],
    )
    return rows
  }
  const granted = { event: 'role_granted', detail: { role: 'admin', by: 'settings' } }
  const changed = { event: 'password_changed', detail: { by: 'settings' } }
  const { email: existing } = await signedIn(shop)
  await Promise.all([1, 2, 3].map(() => auth.ensureAdmin(existing, password)))
  expect(await eventsOf(existing)).toEqual([granted])

  const fresh = someone()
  await auth.ensureAdmin(fresh)
  expect(await eventsOf(fresh)).toEqual([granted])
  await Promise.all([1, 2, 3].map(() => auth.ensureAdmin(fresh, password)))
  expect(await eventsOf(fresh)).toEqual([changed, granted])

  const squatted = someone()
  await signUp(squatted, 'of a stranger')
  await auth.ensureAdmin(squatted, password)
  expect(await eventsOf(squatted)).toEqual([changed, granted])
})

test('a sign-up not confirmed in three days is deleted, and its address is free', async () => {
  const [forgotten, confirmed] = [someone(), someone()]
  const press = await signUp(forgotten, password)
  const pressInTime = await signUp(confirmed, password)
  await pressInTime()
  time.ahead = 71 * hourMs
  await auth.sweep()
  expect(await rowsOf(forgotten)).toHaveLength(1)
  time.ahead = 73 * hourMs
  await auth.sweep()
  expect(await rowsOf(forgotten)).toEqual([])
  expect(await rowsOf(confirmed)).toHaveLength(1)
  expect((await press()).error?.code).toBe('otp_expired')
  const { rows } = await database.pool.query(`select 1 from profiles where email = '${forgotten}'`)
  expect(rows).toEqual([])
})

test('ended sessions, spent links and old counters are swept, living ones stay', async () => {
  const { auth: ended, email } = await signedIn(shop)
  await ended.resetPasswordForEmail(email)
  await mailsTo(shop, email, 1)
  await ended.signOut()
  await ended.signInWithPassword({ email, password })
  await database.pool.query(`insert into rate_limits values ('old', now() - interval '2 days', 1)`)
  time.ahead = 8 * dayMs
  await auth.sweep()
  const { rows } = await database.pool.query(`
    select (select count(*) from auth.sessions s join auth.users u on u.id = s.user_id where u.email = '${email}') as sessions,
           (select count(*) from auth.one_time_tokens where email = '${email}') as links,
           (select count(*) from rate_limits where key = 'old') as counters`)
  expect(rows).toEqual([{ sessions: 1, links: 0, counters: 0 }])
})
