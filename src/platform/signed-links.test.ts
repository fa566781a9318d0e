// What a link gives is decided when it is used: a user who has lost the right gets nothing.
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { giveFactor, giveRefundRequest } from '#test/factories.ts'
import type { Person } from '#test/users.ts'
import { openProductsShop } from '#test/products.ts'

type AdminProducts = Awaited<ReturnType<typeof openProductsShop>>

/** A second session of the same account. */
async function signInAgain(adminProducts: AdminProducts, { email, password }: Person): Promise<string> {
  const response = await adminProducts.call('POST', '/auth/v1/token?grant_type=password', {
    body: { email, password },
  })
  return ((await response.json()) as { access_token: string }).access_token
}

const signOut = (adminProducts: AdminProducts, token: string, scope = 'local') =>
  adminProducts.call('POST', `/auth/v1/logout?scope=${scope}`, { token })

async function askExport(person: Person, body: object = { list: 'users' }): Promise<string> {
  const response = await person.call('POST', '/api/admin/exports', { body })
  return ((await response.json()) as { url: string }).url
}

async function refusalOf(adminProducts: AdminProducts, url: string, headers = {}, method = 'GET') {
  const response = await adminProducts.fetchFile(url, headers, method)
  const { code } = method === 'HEAD' ? {} : ((await response.json()) as { code?: string })
  return [response.status, code]
}

test('a link ends with the session that asked for it, and with no other', async () => {
  await using adminProducts = await openProductsShop({ hasWorkers: false })
  const { user } = adminProducts
  const { url } = await adminProducts.link()
  const elsewhere = await signInAgain(adminProducts, user)
  await signOut(adminProducts, elsewhere)
  expect((await adminProducts.fetchFile(url)).status).toBe(200)
  await signOut(adminProducts, user.token)
  expect(await refusalOf(adminProducts, url)).toEqual([403, 'downloads.session_ended'])
  expect(await refusalOf(adminProducts, url, { range: 'bytes=10-' })).toEqual([
    403,
    'downloads.session_ended',
  ])
  expect((await adminProducts.fetchFile(url, {}, 'HEAD')).status).toBe(403)
  const late = await adminProducts.fetchFile(url)
  expect(late.headers.get('cache-control')).toBe('no-store')
  expect(await late.json()).toMatchObject({
    detail: expect.stringMatching(/sign in and start the download again/),
  })

  const admin = await adminProducts.person({ role: 'admin' })
  const list = await askExport(admin)
  expect((await adminProducts.fetchFile(list)).status).toBe(200)
  await signOut(adminProducts, await signInAgain(adminProducts, admin), 'global')
  expect(await refusalOf(adminProducts, list)).toEqual([403, 'downloads.session_ended'])
})

test('the links of a disabled or deleted account give nothing', async () => {
  await using adminProducts = await openProductsShop({ hasWorkers: false })
  const { pool } = adminProducts.services.database
  const admin = await adminProducts.person({ role: 'admin' })
  const other = await adminProducts.person({ role: 'admin' })
  const [file, list] = [(await adminProducts.link()).url, await askExport(other)]
  for (const { id } of [adminProducts.user, other])
    expect(
      (await admin.call('PUT', `/api/admin/users/${id}/disabled`, { body: { is_disabled: true } })).status,
    ).toBeLessThan(300)
  for (const url of [file, list]) {
    const [status, code] = await refusalOf(adminProducts, url)
    expect([status, ['auth.user_banned', 'downloads.session_ended'].includes(String(code))]).toEqual([
      403,
      true,
    ])
  }
  // Disabled by a ban alone, its session still there.
  const third = await adminProducts.person({ role: 'admin' })
  const own = await askExport(third)
  await pool.query(`update auth.users set banned_until = now() + interval '1 day' where id = $1`, [third.id])
  expect(await refusalOf(adminProducts, own)).toEqual([403, 'auth.user_banned'])
  await pool.query('delete from auth.users where id = $1', [third.id])
  expect(await refusalOf(adminProducts, own)).toEqual([403, 'downloads.session_ended'])
})

test('an export link works only while its admin has the role', async () => {
  await using adminProducts = await openProductsShop({ hasWorkers: false })
  const admin = await adminProducts.person({ role: 'admin' })
  const list = await askExport(admin)
  await adminProducts.services.database.pool.query(
    `delete from user_roles where user_id = $1 and role = 'admin'`,
    [admin.id],
  )
  expect(await refusalOf(adminProducts, list)).toEqual([403, 'access.forbidden'])
})

test('a download needs what the purchase gives, still, also for the rest of a broken one', async () => {
  await using adminProducts = await openProductsShop({ hasWorkers: false })
  const { url } = await adminProducts.link()
  expect((await adminProducts.fetchFile(url, { range: 'bytes=0-9' })).status).toBe(206)
  for (const status of ['refunded', 'disputed', 'canceled', 'pending'] as const) {
    await adminProducts.setStatus(status)
    expect(await refusalOf(adminProducts, url, { range: 'bytes=10-' })).toEqual([
      409,
      'purchases.not_completed',
    ])
  }
  await adminProducts.setStatus('completed')
  await giveRefundRequest(adminProducts.services.db, adminProducts.purchase.id, 14.99)
  expect(await refusalOf(adminProducts, url)).toEqual([409, 'purchases.not_completed'])
})

test('once an account has a second factor, the links of its sessions without it give nothing', async () => {
  await using adminProducts = await openProductsShop({ hasWorkers: false })
  const { pool } = adminProducts.services.database
  const { url } = await adminProducts.link()
  await giveFactor(adminProducts.services.db, adminProducts.user.id)
  expect(await refusalOf(adminProducts, url)).toEqual([403, 'auth.insufficient_aal'])
  await pool.query(`update auth.sessions set aal = 'aal2' where user_id = $1`, [adminProducts.user.id])
  expect((await adminProducts.fetchFile(url)).status).toBe(200)
})

test('a download that has begun is finished after its user signs out', async () => {
  await using adminProducts = await openProductsShop({ hasWorkers: false })
  const content = randomBytes(20_000_000)
  await adminProducts.store(content, 'Large')
  const { url } = await adminProducts.link()
  const response = await adminProducts.fetchFile(url)
  await signOut(adminProducts, adminProducts.user.token)
  expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true)
  expect(await refusalOf(adminProducts, url, { range: 'bytes=19999990-' })).toEqual([
    403,
    'downloads.session_ended',
  ])
})

test('a link to a file is none to a list, and neither is one of another holder', async () => {
  await using adminProducts = await openProductsShop({ hasWorkers: false })
  const admin = await adminProducts.person({ role: 'admin' })
  const [file, list] = [(await adminProducts.link()).url, await askExport(admin)]
  const token = (url: string) => url.split('/').at(-1)!
  expect(await refusalOf(adminProducts, `/api/exports/${token(file)}`)).toEqual([404, 'request.not_found'])
  expect(await refusalOf(adminProducts, `/api/files/${token(list)}`)).toEqual([404, 'request.not_found'])
  const claim = JSON.parse(Buffer.from(token(file).split('.')[0]!, 'base64url').toString()) as object
  const forged = Buffer.from(JSON.stringify({ ...claim, user_id: admin.id })).toString('base64url')
  expect(await refusalOf(adminProducts, `/api/files/${forged}.${token(file).split('.')[1]}`)).toEqual([
    404,
    'request.not_found',
  ])
})
