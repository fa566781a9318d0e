// A shared shop, before a journey as it asks, and after it as it was opened. What was sold, written and added to the
// accounts stays, but no further admin.
import { expect } from '@playwright/test'
import { openDatabase } from '#platform/db/client.ts'
import type { SettingsGroup } from '#contract/settings/settings.ts'
import { admin } from '#test/running-shop.ts'
import type { TestSmtpServer } from '#test/smtp.ts'
import type { Shop } from './open-shop.ts'
import { callAsAdmin, saveSettings } from './users.ts'

export type Arrangement = {
  /** It sends its emails to the worker's mail server; else it keeps them. */
  sendsMail: boolean
  /** The sample's words are an own book's: where money is taken, visitors buy with an address only. */
  hasOwnBook: boolean
}

const groups = ['shop', 'mail', 'author_emails', 'letters', 'shipping', 'tax'] as const

type Opened = { settings: Record<(typeof groups)[number], SettingsGroup>; home: string; countsTests: boolean }

const opened = new WeakMap<Shop, Opened>()

/** What `reset` puts back: as the shop is now, the first time. */
export async function remember(shop: Shop): Promise<void> {
  if (!opened.has(shop)) opened.set(shop, await readShop(shop))
}

export async function arrange(
  shop: Shop,
  { sendsMail, hasOwnBook }: Arrangement,
  smtp: TestSmtpServer,
): Promise<void> {
  if (sendsMail) {
    const { hostname: host, port } = new URL(smtp.url)
    await saveSettings(shop, 'mail', { host, port: Number(port), encryption: 'none' })
  }
  if (hasOwnBook) await takeAsOwnBook(shop)
}

export async function reset(shop: Shop): Promise<void> {
  const before = opened.get(shop)
  if (!before) return
  await removeOtherAdmins(shop)
  const { revisions, hasBook } = await readChanges(shop)
  for (const name of groups) {
    const { values, variables, revision } = before.settings[name]
    if ((revisions.get(name) ?? 0) === revision) continue
    const own = Object.entries(values).filter(([field]) => !(field in variables))
    before.settings[name].revision = await saveSettings(shop, name, Object.fromEntries(own))
  }
  if (hasBook) await takeAsSample(shop, before)
}

async function readShop(shop: Shop): Promise<Opened> {
  const call = await callAsAdmin(shop)
  const settings = await Promise.all(
    groups.map(async (name) => [name, await (await call('GET', `/api/admin/settings/${name}`)).json()]),
  )
  await using database = openDatabase(shop.databaseUrl, { max: 1 })
  const { rows } = await database.pool.query<{ counts_tests: boolean }>(
    'select counts_tests from sums_settings',
  )
  return {
    settings: Object.fromEntries(settings) as Opened['settings'],
    home: await readHome(shop),
    countsTests: rows[0]!.counts_tests,
  }
}

/** A journey may have made some, and a later one expects a single admin. */
async function removeOtherAdmins({ databaseUrl }: Shop): Promise<void> {
  await using database = openDatabase(databaseUrl, { max: 1 })
  await database.pool.query(
    `delete from user_roles using auth.users where users.id = user_id and role = 'admin' and email <> $1`,
    [admin.email],
  )
}

const readHome = async (shop: Shop) => (await fetch(shop.url)).text()

async function readChanges({ databaseUrl }: Shop) {
  await using database = openDatabase(databaseUrl, { max: 1 })
  const settings = await database.pool.query<{ name: string; revision: number }>(
    'select name, revision from settings',
  )
  const books = await database.pool.query(
    'select from book_setup union all select from book_draft union all select from book_versions',
  )
  const revisions = new Map(settings.rows.map(({ name, revision }) => [name, revision]))
  return { revisions, hasBook: books.rows.length > 0 }
}

/** As after the setup: the notice makes every process read the book again. */
export async function takeAsOwnBook(shop: Shop): Promise<void> {
  const before = await readHome(shop)
  await using database = openDatabase(shop.databaseUrl, { max: 1 })
  const { rowCount } = await database.pool.query(
    `insert into book_setup (step, offers, changed_at) values ('done', '[]', now()) on conflict do nothing`,
  )
  if (rowCount === 0) return
  await database.pool.query(`select pg_notify('shop_changed', '')`)
  await expect.poll(() => readHome(shop)).not.toBe(before)
}

/**
 * As before its setup: the notice makes the process read the book again. The opening of an own book has marked the orders of
 * the sample as tests.
 */
async function takeAsSample(shop: Shop, { home, countsTests }: Opened): Promise<void> {
  await using database = openDatabase(shop.databaseUrl, { max: 1 })
  await database.pool.query(
    'delete from book_setup; delete from book_draft; delete from book_versions; delete from excerpt_file',
  )
  await database.pool.query('update sums_settings set counts_tests = $1', [countsTests])
  await database.pool.query('select sums_rebuild()')
  await database.pool.query(`select pg_notify('shop_changed', '')`)
  await expect.poll(() => readHome(shop)).toBe(home)
}
