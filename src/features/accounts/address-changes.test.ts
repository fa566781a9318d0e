// Another address of an account: both are told, the new one confirms, the old one undoes.
import { afterAll, expect, test } from 'vitest'
import type { Email } from 'postal-mime'
import { linkIn, mailsTo, openBrowser, password, signedIn, someone } from '#test/auth-client.ts'
import { untilWaiting } from '#test/lock-waiters.ts'
import { codeOf, enrol, nextStep, withFactor } from '#test/second-factor.ts'
import { openTestShop } from '#test/shop.ts'
import { clock, time } from '#test/time.ts'
import { insertAccount } from './accounts.ts'
import { confirmAddress } from './address-changes.ts'
import { findOrAddAccount, findOrAddUnconfirmed } from './created-accounts.ts'
import { eraseUser } from './erased-account.ts'
import { hashOf, takeLink } from './links.ts'

const day = 86_400_000
const shop = await openTestShop({ clock, isEmpty: true, env: { RATE_LIMIT: 'off' } })
afterAll(() => shop[Symbol.asyncDispose]())
const { pool } = shop.services.database

const undoIn = (mail: Email) => /\/account\/undo#([\w-]{43})\b/.exec(mail.text ?? '')?.[1]

function undo(token: string | undefined) {
  return shop.call('POST', '/api/account/undo-address', { body: { token } })
}

async function undone(mail: Email | undefined): Promise<string> {
  const response = await undo(undoIn(mail!))
  expect(response.status).toBe(200)
  return ((await response.json()) as { token_hash: string }).token_hash
}

type Person = Awaited<ReturnType<typeof signedIn>>

const mailOf = async (address: string, subject: RegExp, count = 1): Promise<Email> => {
  const found = async () =>
    (await mailsTo(shop, address, 0)).filter((mail) => subject.test(mail.subject ?? ''))
  await expect.poll(async () => (await found()).length).toBeGreaterThanOrEqual(count)
  return (await found()).at(-1)!
}

async function ask({ auth }: Pick<Person, 'auth'>, email = someone()): Promise<string> {
  expect((await auth.updateUser({ email })).error).toBeNull()
  return email
}

async function confirm(email: string) {
  const { token_hash, type } = linkIn(await mailOf(email, /confirm your new/))
  return shop.call('POST', '/auth/v1/verify', { body: { token_hash, type } })
}

async function change(person: Pick<Person, 'auth'>, to = someone()): Promise<string> {
  await ask(person, to)
  expect((await confirm(to)).status).toBe(200)
  return to
}

const addressOf = async (user_id: string) =>
  (await pool.query<{ email: string }>('select email from auth.users where id = $1', [user_id])).rows[0]
    ?.email
const signIn = async (email: string, given = password) => {
  const browser = await openBrowser(shop.url)
  return (await browser.auth.signInWithPassword({ email, password: given })).error?.code ?? browser
}
const isIn = async ({ auth }: Pick<Person, 'auth'>) => (await auth.getUser()).error === null

test('the old address hears of a change when it is asked for and when it happened, and undoes it once', async () => {
  const person = await signedIn(shop)
  const { email: old, user_id } = person
  const other = await signIn(old)
  const to = await ask(person)
  const asked = await mailOf(old, /is to change/)
  expect(asked.text).toContain(to)
  expect(undoIn(await mailOf(to, /confirm your new/))).toBeUndefined()

  const confirmed = await confirm(to)
  expect(confirmed.status).toBe(200)
  expect(await isIn(person)).toBe(true)
  expect(await isIn(other as Person)).toBe(false)
  const happened = await mailOf(old, /was changed/)
  expect(undoIn(await mailOf(to, /was changed/))).toBeUndefined()

  const both = await Promise.all([asked, happened].map((mail) => undo(undoIn(mail))))
  expect(both.filter(({ ok }) => ok)).toHaveLength(1)
  expect(both.some(({ status }) => status === 403)).toBe(true)
  expect(await addressOf(user_id)).toBe(old)
  expect(await isIn(person)).toBe(false)
  for (const address of [old, to]) expect(await signIn(address)).toBe('invalid_credentials')
  const { token_hash } = (await both.find(({ ok }) => ok)!.json()) as { token_hash: string }
  const browser = await openBrowser(shop.url)
  await browser.auth.verifyOtp({ token_hash, type: 'recovery' })
  expect((await browser.auth.updateUser({ password: 'nine good words' })).error).toBeNull()
  expect(await signIn(old, 'nine good words')).toHaveProperty('auth')
  expect((await mailOf(to, /was undone/)).text).not.toContain(old)
  const { rows } = await pool.query(
    `select event from auth.audit_log where user_id = $1 and event like 'email%' order by created_at`,
    [user_id],
  )
  expect(rows.map(({ event }) => event)).toEqual([
    'email_change_asked',
    'email_changed',
    'email_change_undone',
  ])
})

test('before it is confirmed, the same link cancels it: who asked is out, and the new address confirms nothing', async () => {
  const person = await signedIn(shop)
  const to = await ask(person)
  await undone(await mailOf(person.email, /is to change/))
  expect(await isIn(person)).toBe(false)
  expect(await signIn(person.email)).toBe('invalid_credentials')
  expect((await confirm(to)).status).toBe(403)
  expect(await addressOf(person.user_id)).toBe(person.email)
})

test('an undo takes back an erasure, which the thief may have asked for', async () => {
  const { email: old, user_id, auth } = await signedIn(shop)
  await change({ auth })
  const { data } = await auth.getSession()
  const asked = await shop.call('POST', '/api/account/erasure', { token: data.session!.access_token })
  expect(asked.status).toBe(200)
  await undone(await mailOf(old, /was changed/))
  expect((await pool.query('select from erasures where user_id = $1', [user_id])).rows).toEqual([])
})

test('of an undo and a confirmation at the same moment, the undo stays', async () => {
  for (let round = 0; round < 5; round += 1) {
    const person = await signedIn(shop)
    const to = await ask(person)
    const mail = await mailOf(person.email, /is to change/)
    await mailOf(to, /confirm your new/)
    const [taken] = await Promise.all([undo(undoIn(mail)), confirm(to)])
    expect(taken.status).toBe(200)
    expect(await addressOf(person.user_id)).toBe(person.email)
    expect(await isIn(person)).toBe(false)
  }
})

test('a change is undone for seven days, and no longer', async () => {
  const [early, late] = [await signedIn(shop), await signedIn(shop)]
  for (const person of [early, late]) await change(person)
  time.ahead = 7 * day - 60_000
  await undone(await mailOf(early.email, /was changed/))
  time.ahead = 7 * day + 60_000
  const mail = await mailOf(late.email, /was changed/)
  expect((await undo(undoIn(mail))).status).toBe(403)
  await shop.services.auth.sweep()
  const { rows } = await pool.query('select from auth.address_changes where user_id = $1', [late.user_id])
  expect(rows).toEqual([])
  await shop.services.auth.createAccount({ email: late.email, password, role: 'user' })
})

test('until then nobody else gets the old address, and a sign-up learns nothing', async () => {
  const person = await signedIn(shop)
  const { email: old, user_id } = person
  await change(person)
  const stranger = await signedIn(shop)

  const { data } = await stranger.auth.signUp({ email: old, password })
  expect(data.user).toMatchObject({ email: old, identities: [expect.anything()] })
  await mailOf(old, /already have an account/)
  await ask(stranger, old)
  await expect(
    shop.services.auth.createAccount({ email: old, password, role: 'user' }),
  ).rejects.toMatchObject({
    code: 'accounts.email_taken',
  })
  await shop.services.auth.ensureAdmin(old, 'a password of nobody')
  await expect(
    shop.services.db.transaction((tx) => shop.services.auth.admin.inviteAdmin(tx, old)),
  ).rejects.toMatchObject({ code: 'accounts.email_taken' })
  for (const add of [
    (id: string) => shop.services.db.transaction((tx) => findOrAddAccount(tx, { id, email: old }, clock())),
    () => shop.services.db.transaction((tx) => findOrAddUnconfirmed(tx, old, clock())),
  ])
    expect(await add(crypto.randomUUID())).toEqual({ user_id, isNew: false })

  const own = await mailsTo(shop, old, 1)
  expect(own.filter(({ subject }) => /confirm your/.test(subject ?? ''))).toEqual([])
  await undone(await mailOf(old, /was changed/))
  expect(await addressOf(user_id)).toBe(old)
})

test('who waits for the old address while it is given up does not get it', async () => {
  const { db } = shop.services
  const person = await signedIn(shop)
  const to = await ask(person)
  const { token_hash, type } = linkIn(await mailOf(to, /confirm your new/))
  const made = { email: person.email, password_hash: null, user_metadata: {}, email_confirmed_at: clock() }
  const inserting = await db.transaction(async (tx) => {
    const taken = await takeLink(tx, type, hashOf(token_hash), clock())
    await confirmAddress(tx, taken, shop.services, clock())
    const inserted = db.transaction((other) => insertAccount(other, { ...made, now: clock() }))
    await untilWaiting({ pool }, 1)
    return { inserted }
  })
  expect(await inserting.inserted).toBeUndefined()
})

test('the account itself may go back to its old address', async () => {
  const person = await signedIn(shop)
  await change(person)
  await change(person, person.email)
  expect(await addressOf(person.user_id)).toBe(person.email)
})

test('each undo leads back to its own address, and makes later ones void', async () => {
  const [first, second] = [await signedIn(shop), await signedIn(shop)]
  const middles = [await change(first), await change(second)] as const
  const last = await change(first)
  await change(second)
  await undone(await mailOf(first.email, /was changed/))
  expect(await addressOf(first.user_id)).toBe(first.email)
  await mailOf(last, /was undone/)
  const later = await mailOf(middles[0], /is to change/)
  expect((await undo(undoIn(later))).status).toBe(403)
  await signedIn(shop, middles[0])

  await undone(await mailOf(middles[1], /is to change/))
  expect(await addressOf(second.user_id)).toBe(middles[1])
  await undone(await mailOf(second.email, /was changed/))
  expect(await addressOf(second.user_id)).toBe(second.email)
})

test('who had a stranger confirm an address does not get the account back once it is an admin’s', async () => {
  const thief = await signedIn(shop)
  const to = await change(thief)
  const mail = await mailOf(thief.email, /was changed/)
  await shop.services.auth.ensureAdmin(to)
  expect((await undo(undoIn(mail))).status).toBe(403)
  expect(await addressOf(thief.user_id)).toBe(to)
})

test('an erased account does not get its address back', async () => {
  const person = await signedIn(shop)
  await change(person)
  const mail = await mailOf(person.email, /was changed/)
  await shop.services.db.transaction((tx) => eraseUser(tx, person.user_id, clock()))
  expect((await undo(undoIn(mail))).status).toBe(403)
  await signedIn(shop, person.email)
})

test('an undo removes the second factors of the last days, and keeps those from before', async () => {
  const person = await withFactor(shop)
  await pool.query(`update auth.mfa_factors set created_at = created_at - interval '8 days' where id = $1`, [
    person.factorId,
  ])
  nextStep()
  await person.auth.mfa.challengeAndVerify({ ...person, code: codeOf(person.secret) })
  const added = await enrol(person, 'Thief')
  nextStep()
  await person.auth.mfa.challengeAndVerify({ ...added, code: codeOf(added.secret) })
  await ask(person)
  const token_hash = await undone(await mailOf(person.email, /is to change/))
  const browser = await openBrowser(shop.url)
  await browser.auth.verifyOtp({ token_hash, type: 'recovery' })
  const { data } = await browser.auth.getUser()
  expect(data.user!.factors!.map(({ id }) => id)).toEqual([person.factorId])
  expect((await browser.auth.updateUser({ password: 'nine good words' })).error?.code).toBe(
    'insufficient_aal',
  )

  const fresh = await withFactor(shop)
  nextStep()
  await fresh.auth.mfa.challengeAndVerify({ ...fresh, code: codeOf(fresh.secret) })
  await fresh.auth.mfa.recoveryCodes.generate()
  await ask(fresh)
  await undone(await mailOf(fresh.email, /is to change/))
  const { rows } = await pool.query('select from auth.mfa_factors where user_id = $1', [fresh.user_id])
  expect(rows).toEqual([])
})

test('its owner cancels a change on the page, no stolen session without a proof asks for one', async () => {
  const person = await signedIn(shop)
  const to = await ask(person)
  const { access_token: token } = person.session
  const own = async () => (await shop.call('GET', '/api/account', { token })).json()
  expect(await own()).toMatchObject({ email: person.email, new_email: to })
  const stranger = await signedIn(shop)
  const ofStranger = { token: stranger.session.access_token }
  expect((await shop.call('DELETE', '/api/account/new-address', ofStranger)).status).toBe(200)
  expect(await own()).toMatchObject({ new_email: to })
  const canceled = await shop.call('DELETE', '/api/account/new-address', { token })
  expect(await canceled.json()).toMatchObject({ email: person.email, new_email: null })
  expect((await confirm(to)).status).toBe(403)
  expect((await undo('x'.repeat(43))).status).toBe(403)
  expect((await undo('')).status).toBe(403)

  await pool.query(`update auth.sessions set proved_at = now() - interval '1 hour' where user_id = $1`, [
    person.user_id,
  ])
  expect((await person.auth.updateUser({ email: someone() })).error?.code).toBe('reauthentication_needed')
  const { rows } = await pool.query('select from auth.address_changes where user_id = $1', [person.user_id])
  expect(rows).toHaveLength(1)
})
