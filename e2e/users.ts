// Who walks the journeys: accounts made over HTTP, so that a journey begins where its own story does.
import { expect, type Page } from '@playwright/test'
import { openDatabase } from '#platform/db/client.ts'
import type { Product } from '#contract/catalog/products.ts'
import type { Purchase } from '#contract/orders/purchases.ts'
import type { SettingsGroup } from '#contract/settings/settings.ts'
import { storageKey } from '#web/session/session-key.ts'
import { admin } from '#test/running-shop.ts'
import { leaveScripts } from './leaving.ts'
import type { Shop } from './open-shop.ts'

export const password = 'nine good words'

export type Session = { access_token: string; refresh_token: string; expires_in: number; expires_at: number }

/** An account that can sign in; its address is its own. */
export async function makeUser(shop: Shop): Promise<string> {
  const email = someone()
  const { access_token } = await signInAdmin(shop)
  await post(shop, '/functions/v1/admin-create-user', { email, password }, access_token)
  return email
}

const adminSessions = new WeakMap<Shop, Session>()

/** One session for all accounts that are made: hashing a password takes 0.1 s of a core. */
async function signInAdmin(shop: Shop): Promise<Session> {
  const cached = adminSessions.get(shop)
  if (cached && cached.expires_at > Date.now() / 1000 + 60) return cached
  const session = await signIn(shop, admin)
  adminSessions.set(shop, session)
  return session
}

export function someone(): string {
  return `reader-${crypto.randomUUID()}@example.com`
}

export function signUp(shop: Shop, email: string): Promise<unknown> {
  return post(shop, '/auth/v1/signup', { email, password })
}

/** At /auth: chooses the form of the sign-up, types, and sends it. */
export async function fillSignUp(page: Page, email: string): Promise<void> {
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  const form = page.getByRole('tabpanel', { name: 'Sign Up' })
  await form.getByLabel('Email').fill(email)
  await form.getByLabel('Password', { exact: true }).fill(password)
  await form.getByLabel('Confirm Password').fill(password)
  await form.getByRole('button', { name: 'Sign Up' }).click()
}

/** The server leaves `expires_at` to the browser's clock. */
export async function signIn(shop: Shop, credentials: { email: string; password: string }): Promise<Session> {
  const session = await post<Session>(shop, '/auth/v1/token?grant_type=password', credentials)
  return { ...session, expires_at: Math.floor(Date.now() / 1000) + session.expires_in }
}

/** Puts the session where the browser keeps it, and opens no page of the shop yet. */
export async function enter(page: Page, shop: Shop, email: string): Promise<Session> {
  const session = await signIn(shop, { email, password })
  await saveSession(page, JSON.stringify(session))
  return session
}

/** Opens a view of the admin area as the author. */
export async function enterAdmin(page: Page, shop: Shop, path = '/admin'): Promise<Session> {
  const session = await signIn(shop, admin)
  await saveSession(page, JSON.stringify(session))
  await page.goto(path)
  return session
}

/** Whatever the browser is made to remember as its session. */
export async function saveSession(page: Page, stored: string): Promise<void> {
  await leaveScripts(page)
  await page.evaluate(([key, value]) => localStorage.setItem(key, value), [storageKey, stored] as const)
}

export async function storedSession(page: Page): Promise<Session> {
  return JSON.parse(
    (await page.evaluate((key) => localStorage.getItem(key), storageKey)) ?? 'null',
  ) as Session
}

export async function productOf(shop: Shop, format: string): Promise<Product> {
  const products = (await (await fetch(`${shop.url}/api/products`)).json()) as Product[]
  const product = products.find((each) => each.format === format)
  if (!product) throw new Error(`the shop sells no ${format} product`)
  return product
}

export async function buy(
  shop: Shop,
  { access_token }: Session,
  format: string,
  more: { address?: object; code?: string } = {},
): Promise<Product> {
  const product = await productOf(shop, format)
  await post(shop, '/api/purchases', { product_id: product.id, ...more }, access_token)
  return product
}

/** Orders of the sample are test orders: from now on, those of this account are as if they had been paid. */
export async function takeAsReal({ databaseUrl }: Shop, email: string): Promise<void> {
  await using database = openDatabase(databaseUrl, { max: 1 })
  await database.pool.query(
    'update purchases set is_test = false where user_id = (select user_id from profiles where email = $1)',
    [email],
  )
}

/** The latest. */
export async function orderOf(
  shop: Shop,
  { access_token }: Session,
): Promise<Pick<Purchase, 'id' | 'number'>> {
  const response = await fetch(`${shop.url}/api/purchases`, {
    headers: { authorization: `Bearer ${access_token}` },
  })
  const [order] = ((await response.json()) as { items: Purchase[] }).items
  if (!order) throw new Error('nothing was bought')
  return order
}

export async function userIdOf({ databaseUrl }: Shop, email: string): Promise<string> {
  await using database = openDatabase(databaseUrl, { max: 1 })
  const { rows } = await database.pool.query<{ id: string }>('select id from auth.users where email = $1', [
    email,
  ])
  return rows[0]!.id
}

/** As an hour after the sign-in: what is guarded wants the password again. */
export async function ageProof({ databaseUrl }: Shop, email: string): Promise<void> {
  await using database = openDatabase(databaseUrl, { max: 1 })
  await database.pool.query(
    `update auth.sessions set proved_at = now() - interval '1 hour'
      where user_id = (select id from auth.users where email = $1)`,
    [email],
  )
}

/** In the dialog that asks where a book on paper goes. */
export async function fillAddress(page: Page, name: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Full name').fill(name)
  await dialog.getByLabel('Street and number').fill('7 Barley Road')
  await dialog.getByLabel('City').fill('Portland')
  await dialog.getByLabel('State').selectOption('OR')
  await dialog.getByLabel('ZIP code').fill('97201')
}

export async function callAsAdmin(shop: Shop) {
  const { access_token } = await signIn(shop, admin)
  const authorization = `Bearer ${access_token}`
  return (method: string, path: string, { body }: { body?: unknown } = {}) =>
    fetch(shop.url + path, {
      method,
      headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
}

/** The revision of the group afterwards. */
export async function saveSettings(shop: Shop, group: string, values: object): Promise<number> {
  const call = await callAsAdmin(shop)
  const path = `/api/admin/settings/${group}`
  const before = (await (await call('GET', path)).json()) as SettingsGroup
  const response = await call('PUT', path, { body: { revision: before.revision, values } })
  if (!response.ok) throw new Error(`the settings were not saved: ${await response.text()}`)
  return ((await response.json()) as SettingsGroup).revision
}

/** The links mailed to this address under such a subject, oldest first, once there are that many. */
export async function linksTo(shop: Shop, email: string, subject: RegExp, count = 1): Promise<string[]> {
  const links = async () => {
    const mails = (await shop.mailbox.all()).filter(
      (mail) => mail.to?.some((to) => to.address === email) && subject.test(mail.subject ?? ''),
    )
    return mails.map((mail) => mail.text?.match(/http:\S+token_hash=[^\s\]]+/)?.[0] ?? '')
  }
  await expect.poll(links).toHaveLength(count)
  return links()
}

export async function post<Body>(shop: Shop, path: string, body: object, token?: string): Promise<Body> {
  const response = await fetch(shop.url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${text}`)
  return JSON.parse(text || 'null') as Body
}
