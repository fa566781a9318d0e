// Rules of the functions below `/functions/v1`.
import { expect, test } from 'vitest'
import { age } from '#test/changes.ts'
import { given } from '#test/given.ts'
import type { Person } from '#test/users.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'

async function invoke(caller: Person, name: string, body: unknown) {
  const response = await caller.call('POST', `/functions/v1/${name}`, { body })
  return [response.status, await response.json()]
}

const receiptsSent = async ({ mailbox }: TestShop) => (await mailbox.all()).length

test('send-purchase-email promises what the purchase has done already, and sends again only after a while', async () => {
  await using shop = await openTestShop()
  const [buyer, other] = [await shop.person(), await shop.person()]
  const { id } = await buyer.buy((await shop.product('digital')).id)
  const spec = {
    purchaseId: id,
    userEmail: 'eve@example.com',
    userName: 'Eve',
    productName: 'X',
    isDigital: true,
  }
  const promised = [200, { success: true, message: 'The confirmation email is on its way.' }]
  const paused = [200, { success: true, message: expect.stringContaining('was sent a moment ago') }]
  // The purchase's own receipt may be faster than this question.
  expect([promised, paused]).toContainEqual(await invoke(buyer, 'send-purchase-email', spec))
  await shop.mailbox.to(buyer.email)
  await expect.poll(() => invoke(buyer, 'send-purchase-email', spec)).toEqual(paused)
  const { pool } = shop.services.database
  await expect.poll(async () => (await pool.query('select status from mails')).rows).toHaveLength(1)
  expect(await receiptsSent(shop)).toBe(1)

  await age({ pool }, 'mails.created_at', '3 minutes')
  expect(await invoke(buyer, 'send-purchase-email', spec)).toEqual(promised)
  await expect.poll(() => receiptsSent(shop)).toBe(2)
  for (const { to } of await shop.mailbox.all()) expect(to).toMatchObject([{ address: buyer.email }])

  expect(await invoke(other, 'send-purchase-email', spec)).toEqual([
    404,
    { success: false, error: 'We could not find that purchase.' },
  ])
  expect(await invoke(buyer, 'send-purchase-email', { purchaseId: 'x' })).toMatchObject([
    422,
    { success: false },
  ])
})

test('one account asks for twenty receipts in an hour at most', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const buyer = await shop.person()
  const { id: purchaseId } = await buyer.buy((await shop.product('digital')).id)
  const ask = () => invoke(buyer, 'send-purchase-email', { purchaseId })
  const responses = await Promise.all(Array.from({ length: 20 }, ask))
  expect(responses.map(([status]) => status)).toEqual(Array.from({ length: 20 }, () => 200))
  expect(await ask()).toEqual([
    429,
    { success: false, error: 'Too many attempts. Please try again in an hour.' },
  ])
})

test('admin-create-user asks for a sign-in of the last day, so that a stolen session makes nobody', async () => {
  await using shop = await openTestShop()
  const admin = await shop.person({ role: 'admin' })
  await given.passwordsGiven(shop, '25 hours')
  const account = { email: 'new@example.com', password: 'secret' }
  expect(await invoke(admin, 'admin-create-user', account)).toEqual([
    400,
    { success: false, error: 'Please sign in again to change this.' },
  ])
  const { rows } = await shop.services.database.pool.query(
    `select from profiles where email = 'new@example.com'`,
  )
  expect(rows).toEqual([])
})

test('admin-create-user makes a verified account with its role, for admins only', async () => {
  await using shop = await openTestShop()
  const [admin, buyer] = [await shop.person({ role: 'admin' }), await shop.person()]
  const account = {
    email: 'New@Example.com',
    password: 'well chosen',
    displayName: 'New User',
    role: 'admin',
  }
  expect(await invoke(buyer, 'admin-create-user', account)).toEqual([
    403,
    { success: false, error: "You don't have admin privileges." },
  ])
  expect(await invoke(admin, 'admin-create-user', account)).toEqual([
    200,
    { success: true, message: 'User new@example.com was created.' },
  ])
  const signIn = await shop.call('POST', '/auth/v1/token?grant_type=password', {
    body: { email: 'new@example.com', password: 'well chosen' },
  })
  const { access_token: token } = (await signIn.json()) as { access_token: string }
  const me = await shop.call('GET', '/api/me', { token })
  expect(await me.json()).toMatchObject({
    email: 'new@example.com',
    display_name: 'New User',
    is_admin: true,
  })

  expect(await invoke(admin, 'admin-create-user', account)).toEqual([
    409,
    { success: false, error: 'An account with this email address already exists.' },
  ])
  const plain = { email: 'plain@example.com', password: 'secret' }
  expect(await invoke(admin, 'admin-create-user', plain)).toMatchObject([200, { success: true }])
  const { rows } = await shop.services.database.pool.query(
    `select role from user_roles join profiles using (user_id) where email = 'plain@example.com'`,
  )
  expect(rows).toEqual([{ role: 'user' }])

  const bad = [
    { password: 'short' },
    { email: 'x' },
    { role: 'owner' },
    { is_admin: true },
    { displayName: 'a\nb' },
  ]
  for (const change of bad) {
    const refused = await invoke(admin, 'admin-create-user', { ...plain, email: 'b@example.com', ...change })
    expect(refused).toMatchObject([422, { success: false, error: expect.any(String) }])
  }
})
