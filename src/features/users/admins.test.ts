// The list of admins: who is on it, and how one joins it.
import { expect, test } from 'vitest'
import { linkIn, mailsTo, openBrowser } from '#test/auth-client.ts'
import { openTestShop } from '#test/shop.ts'
import type { Person } from '#test/users.ts'
import type { AdminAccount } from './contract/admins.ts'

async function add(admin: Person, email: string, more: object = {}) {
  const response = await admin.call('POST', '/api/admin/admins', { body: { email, ...more } })
  const { outcome, code } = (await response.json()) as { outcome?: string; code?: string }
  return outcome ?? code
}

async function list(admin: Person): Promise<AdminAccount[]> {
  const response = await admin.call('GET', '/api/admin/admins')
  return ((await response.json()) as { items: AdminAccount[] }).items
}

test('who has no account gets one, and a link to choose a password, again while there is none', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' } })
  const admin = await shop.person({ role: 'admin', email: 'author@books.example' })
  expect(await add(admin, ' Editor@Books.example')).toBe('invited')
  expect(await add(admin, 'editor@books.example')).toBe('invited')
  expect(await list(admin)).toMatchObject([
    { email: 'author@books.example', last_sign_in_at: expect.any(String), is_disabled: false },
    { email: 'editor@books.example', last_sign_in_at: null, has_second_factor: false },
  ])
  const mails = await mailsTo(shop, 'editor@books.example', 2)
  expect(mails.map(({ subject }) => subject)).toEqual(['You are an admin now', 'You are an admin now'])
  const { token_hash } = linkIn(mails[1]!)
  const editor = await openBrowser(shop.url)
  const { data } = await editor.auth.verifyOtp({ token_hash, type: 'recovery' })
  expect((await editor.auth.updateUser({ password: 'nine good words' })).error).toBeNull()
  const me = await shop.call('GET', '/api/me', { token: data.session!.access_token })
  expect(await me.json()).toMatchObject({ is_admin: true })
  expect(await add(admin, 'editor@books.example')).toBe('unchanged')
  const { rows } = await shop.services.database.pool.query(
    `select action, subject from audit_log where actor = 'author@books.example' order by created_at`,
  )
  const invited = { action: 'users.invited', subject: 'editor@books.example' }
  expect(rows).toEqual([invited, invited])
})

test('who has an account is admin at once; a sign-up that was never confirmed is no account', async () => {
  await using shop = await openTestShop({ hasWorkers: false, env: { RATE_LIMIT: 'off' } })
  const admin = await shop.person({ role: 'admin' })
  const reader = await shop.person()
  expect((await reader.call('GET', '/api/admin/admins')).status).toBe(403)
  expect(await add(reader, reader.email)).toBe('access.forbidden')
  expect(await add(admin, reader.email)).toBe('granted')
  expect((await reader.call('GET', '/api/admin/admins')).status).toBe(200)

  const stranger = { email: 'editor@books.example', password: 'a stranger chose it' }
  await shop.call('POST', '/auth/v1/signup', { body: stranger })
  expect(await add(admin, stranger.email)).toBe('invited')
  const signIn = await shop.call('POST', '/auth/v1/token?grant_type=password', { body: stranger })
  expect(signIn.status).toBe(400)
})

test('a session that was not proven within ten minutes makes no admin', async () => {
  let now = Date.now()
  await using shop = await openTestShop({ hasWorkers: false, clock: () => new Date(now) })
  const admin = await shop.person({ role: 'admin' })
  now += 10 * 60_000
  expect(await add(admin, 'editor@books.example')).toBe('auth.reauthentication_needed')
  expect(await list(admin)).toHaveLength(1)
  expect(await add(admin, 'editor@books.example', { current_password: admin.password })).toBe('invited')
})
