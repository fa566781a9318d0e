// Another address of an account: confirmed from both mailboxes, in either order, and safe from who asks in a stranger's name.
import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import type { Email } from 'postal-mime'
import { linkIn, mailsTo, openBrowser, password, signedIn, someone } from '#test/auth-client.ts'
import { codeOf, nextStep, withFactor } from '#test/second-factor.ts'
import { openTestShop } from '#test/shop.ts'
import { clock, time } from '#test/time.ts'
import { dayMs } from '#contract/durations.ts'
import { deviceHeader } from '#contract/accounts/device-header.ts'
import { eraseUser } from './erased-accounts.ts'

const shop = await openTestShop({ clock, isEmpty: true, env: { RATE_LIMIT: 'off' } })
afterAll(() => shop[Symbol.asyncDispose]())
const { pool } = shop.services.database

type Person = Pick<Awaited<ReturnType<typeof signedIn>>, 'auth' | 'email' | 'user_id' | 'session'>

const mailOf = async (address: string, subject: RegExp, count = 1): Promise<Email> => {
  const found = async () =>
    (await mailsTo(shop, address, 0)).filter((mail) => subject.test(mail.subject ?? ''))
  await expect.poll(async () => (await found()).length).toBeGreaterThanOrEqual(count)
  return (await found())[count - 1]!
}
const subjects = { current: /is to change/, new: /confirm your new/ }

/** Signed in in a browser with an id, as the shop's own pages are. */
async function openPerson(): Promise<Person & { deviceId: string }> {
  const person = await signedIn(shop)
  const deviceId = randomUUID()
  const browser = await openBrowser(shop.url, { deviceId })
  const { data } = await browser.auth.signInWithPassword({ email: person.email, password })
  return { ...person, auth: browser.auth, session: data.session!, deviceId }
}

async function ask({ auth }: Pick<Person, 'auth'>, email = someone()): Promise<string> {
  expect((await auth.updateUser({ email })).error).toBeNull()
  return email
}

async function linkTo(address: string, mailbox: 'current' | 'new', count = 1) {
  return linkIn(await mailOf(address, subjects[mailbox], count))
}

async function call(path: string, body: object, deviceId?: string) {
  const response = await shop.call('POST', path, {
    body,
    ...(deviceId && { headers: { [deviceHeader]: deviceId } }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const press = ({ token_hash }: { token_hash: string }, deviceId?: string) =>
  call('/auth/v1/verify', { type: 'email_change', token_hash }, deviceId)
const look = ({ token_hash }: { token_hash: string }, deviceId?: string) =>
  call('/api/account/address-link', { token_hash }, deviceId)

const accepted = {
  msg: 'Confirmation link accepted. Please proceed to confirm link sent to the other email',
  code: '200',
}
const addressOf = async (id: string) =>
  (await pool.query<{ email: string }>('select email from auth.users where id = $1', [id])).rows[0]?.email
const signIn = async (email: string) =>
  (await (await openBrowser(shop.url)).auth.signInWithPassword({ email, password })).error?.code ?? 'in'
const isIn = async ({ auth }: Pick<Person, 'auth'>) => (await auth.getUser()).error === null

test.each([
  ['the old mailbox, then the new one', ['current', 'new']],
  ['the new mailbox, then the old one', ['new', 'current']],
] as const)('%s: a session only for the new one, and the asker goes on', async (_order, order) => {
  const person = await openPerson()
  const other = await openBrowser(shop.url)
  await other.auth.signInWithPassword({ email: person.email, password })
  const to = await ask(person)
  const links = { current: await linkTo(person.email, 'current'), new: await linkTo(to, 'new') }
  expect((await mailOf(person.email, subjects.current)).text).toMatch(/You did not ask for this\?/)
  expect((await mailOf(to, subjects.new)).text).toMatch(/You did not ask for this\?/)
  expect(await look(links[order[0]], person.deviceId)).toEqual({
    status: 200,
    body: { mailbox: order[0], new_email: to, is_last: false, is_elsewhere: false },
  })
  expect(await press(links[order[0]], person.deviceId)).toEqual({ status: 200, body: accepted })
  expect((await press(links[order[0]], person.deviceId)).status).toBe(403)
  expect(await addressOf(person.user_id)).toBe(person.email)
  const { data } = await person.auth.getUser()
  expect(data.user).toMatchObject({ new_email: to, email_change_sent_at: expect.any(String) })

  expect((await look(links[order[1]], person.deviceId)).body).toMatchObject({ is_last: true })
  const last = await press(links[order[1]], person.deviceId)
  expect(last.status).toBe(200)
  expect(typeof last.body['access_token']).toBe(order[1] === 'new' ? 'string' : 'undefined')
  expect(last.body['user']).toMatchObject({ id: person.user_id, email: to })
  expect(last.body['user']).not.toHaveProperty('new_email')
  expect([await isIn(person), await isIn(other)]).toEqual([true, false])
  expect([await signIn(to), await signIn(person.email)]).toEqual(['in', 'invalid_credentials'])
  for (const address of [person.email, to]) await mailOf(address, /was changed/)
})

test.each([
  ['last', ['current', 'new']],
  ['first', ['new', 'current']],
] as const)('pressed %s by a stranger, the new address ends all that the asker has', async (_when, order) => {
  const person = await openPerson()
  const to = await ask(person)
  const links = { current: await linkTo(person.email, 'current'), new: await linkTo(to, 'new') }
  await pool.query(`insert into erasures (user_id, due_at) values ($1, now())`, [person.user_id])
  const devices = { current: person.deviceId, new: randomUUID() }
  expect((await look(links.new, devices.new)).body).toMatchObject({ is_elsewhere: true })
  expect((await press(links[order[0]], devices[order[0]])).body).toEqual(accepted)
  expect((await look(links[order[1]], devices[order[1]])).body).toMatchObject({ is_elsewhere: true })
  const last = await press(links[order[1]], devices[order[1]])
  expect(last.status).toBe(200)
  expect(await isIn(person)).toBe(false)
  expect(await signIn(to)).toBe('invalid_credentials')
  const { rows } = await pool.query(
    `select password_hash, (select count(*)::int from auth.known_devices d where d.user_id = u.id and hash <> $2) as devices,
      (select count(*)::int from erasures e where e.user_id = u.id) as erasures
    from auth.users u where id = $1`,
    [person.user_id, Buffer.alloc(1)],
  )
  expect(rows).toEqual([{ password_hash: null, devices: order[1] === 'new' ? 1 : 0, erasures: 0 }])
  expect((await mailOf(to, /was changed/)).text).toMatch(/another browser/)
  if (order[1] === 'current') return expect(last.body).not.toHaveProperty('access_token')
  const changed = await shop.call('PUT', '/auth/v1/user', {
    token: last.body['access_token'] as string,
    body: { password: 'nine good words' },
  })
  expect(changed.status).toBe(200)
})

test('second factors and recovery codes end with a press elsewhere, and stay with one in the browser that asked', async () => {
  for (const isElsewhere of [true, false]) {
    const person = await withFactor(shop)
    nextStep()
    await person.auth.mfa.challengeAndVerify({ ...person, code: codeOf(person.secret) })
    await person.auth.mfa.recoveryCodes.generate()
    const to = await ask(person)
    await press(await linkTo(person.email, 'current'))
    await press(await linkTo(to, 'new'), isElsewhere ? randomUUID() : undefined)
    const { rowCount } = await pool.query('select from auth.mfa_factors where user_id = $1', [person.user_id])
    expect(rowCount).toBe(isElsewhere ? 0 : 2)
  }
})

test('a plain client, which sends no id of its device, keeps its password', async () => {
  const person = await signedIn(shop)
  const to = await ask(person)
  expect((await person.auth.verifyOtp(await linkTo(to, 'new'))).data).toEqual({ user: null, session: null })
  expect((await person.auth.verifyOtp(await linkTo(person.email, 'current'))).data.session).toBeNull()
  expect(await signIn(to)).toBe('in')
})

test('both links at the same moment change the address once', async () => {
  for (let round = 0; round < 5; round += 1) {
    const person = await signedIn(shop)
    const to = await ask(person)
    const links = [await linkTo(person.email, 'current'), await linkTo(to, 'new')]
    const responses = await Promise.all([...links, ...links].map((link) => press(link)))
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 403, 403])
    expect(await addressOf(person.user_id)).toBe(to)
  }
})

test('asked twice, only the links of the latest change count, and confirmations begin anew', async () => {
  const person = await signedIn(shop)
  const [first, second] = [await ask(person), someone()]
  const early = { current: await linkTo(person.email, 'current'), new: await linkTo(first, 'new') }
  expect((await press(early.current)).body).toEqual(accepted)
  await ask(person, second)
  expect((await press(early.new)).status).toBe(403)
  expect((await press(await linkTo(second, 'new'))).body).toEqual(accepted)
  expect((await press(early.current)).status).toBe(403)
  await press(await linkTo(person.email, 'current', 2))
  expect(await addressOf(person.user_id)).toBe(second)
})

test('a repeated mail goes only to the mailbox that is missing', async () => {
  const person = await signedIn(shop)
  const to = await ask(person)
  await press(await linkTo(person.email, 'current'))
  await linkTo(to, 'new')
  await person.auth.resend({ type: 'email_change', email: person.email })
  const again = await linkTo(to, 'new', 2)
  const old = await mailsTo(shop, person.email, 1)
  expect(old.filter(({ subject }) => subjects.current.test(subject ?? ''))).toHaveLength(1)
  expect((await press(again)).status).toBe(200)
  expect(await addressOf(person.user_id)).toBe(to)
})

test('each repeated mail is counted for the mailbox that gets it', async () => {
  await using limited = await openTestShop({ isEmpty: true })
  const asker = await signedIn(limited)
  const to = someone()
  expect((await asker.auth.updateUser({ email: to })).error).toBeNull()
  const [mail] = await mailsTo(limited, asker.email, 1)
  await asker.auth.verifyOtp({ type: 'email_change', token_hash: linkIn(mail!).token_hash })
  const resend = () => asker.auth.resend({ type: 'email_change', email: asker.email })
  const codes: (string | undefined)[] = []
  for (let count = 0; count < 5; count += 1) codes.push((await resend()).error?.code)
  expect(codes).toContain('over_email_send_rate_limit')
  // Another mail to the same mailbox finds the same limit.
  const other = await limited.call('POST', '/auth/v1/recover', { body: { email: to } })
  expect(other.status).toBe(429)
})

test('the old mailbox does not tell who asks that the new address has an account', async () => {
  const taken = await signedIn(shop)
  const person = await signedIn(shop)
  await ask(person, taken.email)
  expect((await press(await linkTo(person.email, 'current'))).body).toEqual(accepted)
  expect(
    (await mailsTo(shop, taken.email, 0)).filter(({ subject }) => subjects.new.test(subject ?? '')),
  ).toEqual([])
})

test('a change ends after a day, with a new password, a cancellation, a ban, an erasure and an admin right', async () => {
  const ends: Record<string, (person: Person) => Promise<unknown>> = {
    cancellation: ({ session }) =>
      shop.call('DELETE', '/api/account/new-address', { token: session.access_token }),
    password: ({ auth }) => auth.updateUser({ password: 'nine good words' }),
    ban: ({ user_id }) =>
      pool.query(`update auth.users set banned_until = '9999-01-01' where id = $1`, [user_id]),
    erasure: ({ user_id }) => shop.services.db.transaction((tx) => eraseUser(tx, user_id, clock())),
    right: ({ email }) => shop.services.auth.ensureAdmin(email),
    day: async () => void (time.ahead = dayMs + 1_000),
  }
  for (const [name, end] of Object.entries(ends)) {
    const person = await signedIn(shop)
    const to = await ask(person)
    const links = [await linkTo(person.email, 'current'), await linkTo(to, 'new')]
    await press(links[0]!)
    await end(person)
    expect((await press(links[1]!)).status, name).toBe(403)
    expect((await look(links[1]!)).status === 200, name).toBe(name === 'ban')
    expect(await addressOf(person.user_id), name).not.toBe(to)
  }
})

test('the author stands in for the old mailbox alone, of the change that was seen, and not for an admin', async () => {
  const author = await shop.person({ role: 'admin' })
  const confirm = (id: string, new_email: string) =>
    author.call('POST', `/api/admin/users/${id}/address-confirmation`, { body: { new_email } })
  const person = await openPerson()
  const to = await ask(person)
  const seen = async () =>
    (await (await author.call('GET', `/api/admin/users/${person.user_id}`)).json()) as object
  expect(await seen()).toMatchObject({ address_change: { new_email: to, missing: ['current', 'new'] } })
  expect((await confirm(person.user_id, someone())).status).toBe(409)
  expect((await confirm(person.user_id, to)).status).toBe(200)
  expect((await confirm(person.user_id, to)).status).toBe(409)
  expect(await seen()).toMatchObject({ address_change: { missing: ['new'] } })
  expect(await addressOf(person.user_id)).toBe(person.email)
  expect((await press(await linkTo(to, 'new'), person.deviceId)).body).toHaveProperty('access_token')
  expect(await addressOf(person.user_id)).toBe(to)

  const other = await shop.person({ role: 'admin' })
  await other.call('PUT', '/auth/v1/user', { body: { email: to } })
  expect((await confirm(other.id, to)).status).toBe(409)
  await pool.query(`update auth.sessions set proved_at = now() - interval '1 hour' where user_id = $1`, [
    author.id,
  ])
  expect((await confirm(person.user_id, to)).status).toBe(400)
})

test('the page of one’s own account says what is missing, and a stolen session without a proof asks for no change', async () => {
  const person = await signedIn(shop)
  const to = await ask(person)
  const { access_token: token } = person.session
  const own = async () => (await shop.call('GET', '/api/account', { token })).json()
  expect(await own()).toMatchObject({ new_email: to, missing: ['current', 'new'] })
  await press(await linkTo(person.email, 'current'))
  expect(await own()).toMatchObject({ new_email: to, missing: ['new'] })
  await pool.query(`update auth.sessions set proved_at = now() - interval '1 hour' where user_id = $1`, [
    person.user_id,
  ])
  expect((await person.auth.updateUser({ email: someone() })).error?.code).toBe('reauthentication_needed')
})
