// What a link gives is decided when it is used: whoever lost the right in the meantime gets nothing.
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Person } from '#test/people.ts'
import { openShelf } from '#test/shelf.ts'

type Shelf = Awaited<ReturnType<typeof openShelf>>

/** A second session of the same account. */
async function signInAgain(shelf: Shelf, { email, password }: Person): Promise<string> {
  const answer = await shelf.call('POST', '/auth/v1/token?grant_type=password', { body: { email, password } })
  return ((await answer.json()) as { access_token: string }).access_token
}

const signOut = (shelf: Shelf, token: string, scope = 'local') =>
  shelf.call('POST', `/auth/v1/logout?scope=${scope}`, { token })

async function askExport(person: Person, body: object = { list: 'users' }): Promise<string> {
  const answer = await person.call('POST', '/api/admin/exports', { body })
  return ((await answer.json()) as { url: string }).url
}

async function refusalOf(shelf: Shelf, url: string, headers = {}, method = 'GET') {
  const answer = await shelf.fetchFile(url, headers, method)
  const { code } = method === 'HEAD' ? {} : ((await answer.json()) as { code?: string })
  return [answer.status, code]
}

test('a link ends with the session that asked for it, and with no other', async () => {
  await using shelf = await openShelf({ hasWorkers: false })
  const { reader } = shelf
  const { url } = await shelf.link()
  const elsewhere = await signInAgain(shelf, reader)
  await signOut(shelf, elsewhere)
  expect((await shelf.fetchFile(url)).status).toBe(200)
  await signOut(shelf, reader.token)
  expect(await refusalOf(shelf, url)).toEqual([403, 'downloads.session_ended'])
  expect(await refusalOf(shelf, url, { range: 'bytes=10-' })).toEqual([403, 'downloads.session_ended'])
  expect((await shelf.fetchFile(url, {}, 'HEAD')).status).toBe(403)
  const late = await shelf.fetchFile(url)
  expect(late.headers.get('cache-control')).toBe('no-store')
  expect(await late.json()).toMatchObject({
    detail: expect.stringMatching(/sign in and start the download again/),
  })

  const admin = await shelf.person({ role: 'admin' })
  const list = await askExport(admin)
  expect((await shelf.fetchFile(list)).status).toBe(200)
  await signOut(shelf, await signInAgain(shelf, admin), 'global')
  expect(await refusalOf(shelf, list)).toEqual([403, 'downloads.session_ended'])
})

test('the links of a disabled or deleted account give nothing', async () => {
  await using shelf = await openShelf({ hasWorkers: false })
  const { pool } = shelf.services.database
  const admin = await shelf.person({ role: 'admin' })
  const other = await shelf.person({ role: 'admin' })
  const [file, list] = [(await shelf.link()).url, await askExport(other)]
  for (const { id } of [shelf.reader, other])
    expect(
      (await admin.call('PUT', `/api/admin/users/${id}/disabled`, { body: { is_disabled: true } })).status,
    ).toBeLessThan(300)
  for (const url of [file, list]) {
    const [status, code] = await refusalOf(shelf, url)
    expect([status, ['auth.user_banned', 'downloads.session_ended'].includes(String(code))]).toEqual([
      403,
      true,
    ])
  }
  // Disabled by a ban alone, its session still there.
  const third = await shelf.person({ role: 'admin' })
  const own = await askExport(third)
  await pool.query(`update auth.users set banned_until = now() + interval '1 day' where id = $1`, [third.id])
  expect(await refusalOf(shelf, own)).toEqual([403, 'auth.user_banned'])
  await pool.query('delete from auth.users where id = $1', [third.id])
  expect(await refusalOf(shelf, own)).toEqual([403, 'downloads.session_ended'])
})

test('an export needs the role of whoever asked for it, still', async () => {
  await using shelf = await openShelf({ hasWorkers: false })
  const admin = await shelf.person({ role: 'admin' })
  const list = await askExport(admin)
  await shelf.services.database.pool.query(`delete from user_roles where user_id = $1 and role = 'admin'`, [
    admin.id,
  ])
  expect(await refusalOf(shelf, list)).toEqual([403, 'access.forbidden'])
})

test('a download needs what the purchase gives, still, also for the rest of a broken one', async () => {
  await using shelf = await openShelf({ hasWorkers: false })
  const { url } = await shelf.link()
  expect((await shelf.fetchFile(url, { range: 'bytes=0-9' })).status).toBe(206)
  for (const status of ['refunded', 'disputed', 'canceled', 'pending']) {
    await shelf.setStatus(status)
    expect(await refusalOf(shelf, url, { range: 'bytes=10-' })).toEqual([409, 'purchases.not_completed'])
  }
  await shelf.setStatus('completed')
  await shelf.services.database.pool.query(
    `insert into refund_requests (id, purchase_id, amount, is_by_reader) values (gen_random_uuid(), $1, 14.99, true)`,
    [shelf.purchase.id],
  )
  expect(await refusalOf(shelf, url)).toEqual([409, 'purchases.not_completed'])
})

test('once an account has a second factor, the links of its sessions without it give nothing', async () => {
  await using shelf = await openShelf({ hasWorkers: false })
  const { pool } = shelf.services.database
  const { url } = await shelf.link()
  await pool.query(
    `insert into auth.mfa_factors (id, user_id, friendly_name, secret, status)
     values (gen_random_uuid(), $1, 'Phone', '\\x00', 'verified')`,
    [shelf.reader.id],
  )
  expect(await refusalOf(shelf, url)).toEqual([403, 'auth.insufficient_aal'])
  await pool.query(`update auth.sessions set aal = 'aal2' where user_id = $1`, [shelf.reader.id])
  expect((await shelf.fetchFile(url)).status).toBe(200)
})

test('a download that has begun is finished, whoever signs out meanwhile', async () => {
  await using shelf = await openShelf({ hasWorkers: false })
  const content = randomBytes(20_000_000)
  await shelf.store(content, 'Large')
  const { url } = await shelf.link()
  const answer = await shelf.fetchFile(url)
  await signOut(shelf, shelf.reader.token)
  expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true)
  expect(await refusalOf(shelf, url, { range: 'bytes=19999990-' })).toEqual([403, 'downloads.session_ended'])
})

test('a link to a file is none to a list, and neither is one of another holder', async () => {
  await using shelf = await openShelf({ hasWorkers: false })
  const admin = await shelf.person({ role: 'admin' })
  const [file, list] = [(await shelf.link()).url, await askExport(admin)]
  const token = (url: string) => url.split('/').at(-1)!
  expect(await refusalOf(shelf, `/api/exports/${token(file)}`)).toEqual([404, 'request.not_found'])
  expect(await refusalOf(shelf, `/api/files/${token(list)}`)).toEqual([404, 'request.not_found'])
  const claim = JSON.parse(Buffer.from(token(file).split('.')[0]!, 'base64url').toString()) as object
  const forged = Buffer.from(JSON.stringify({ ...claim, user_id: admin.id })).toString('base64url')
  expect(await refusalOf(shelf, `/api/files/${forged}.${token(file).split('.')[1]}`)).toEqual([
    404,
    'request.not_found',
  ])
})
