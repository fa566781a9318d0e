// Owners are told of a new edition once, who does not want it is not, and the earlier editions stay theirs.
import { randomBytes, randomUUID } from 'node:crypto'
import { isNotNull } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { giveFile, giveRefundRequest } from '#test/factories.ts'
import { perNetwork } from '#platform/http/rate-limits.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { openSmtpServer, type TestSmtpServer } from '#test/smtp.ts'
import type { Person } from '#test/users.ts'
import type { Announcement, OwnEdition } from '#contract/delivery/editions.ts'
import type { MailPreview } from '#contract/mail/mail-preview.ts'
import { queueScheduledEmails, scheduledEmailJob } from '#domains/mail/scheduled-emails.ts'
import { mail_choices } from '#tables/delivery.ts'
import { scheduled_emails } from '#tables/mail.ts'

/** The tests that find their own rows in any shop share this one. */
const shop = await openTestShop({ hasWorkers: false })
afterAll(() => shop[Symbol.asyncDispose]())

async function addEdition({ services }: TestShop, product_id: string, edition = 2): Promise<string> {
  const id = randomUUID()
  await services.storage.write(`ebooks/${id}.epub`, Buffer.from('An edition'))
  await giveFile(services.db, {
    id,
    file_path: `ebooks/${id}.epub`,
    product_id,
    file_format: 'epub',
    edition,
  })
  return id
}

const path = (file_id: string) => `/api/admin/editions/${file_id}/announcement`

async function announce(admin: Person, file_id: string, changes = ''): Promise<Announcement> {
  const response = await admin.call('PUT', path(file_id), { body: { changes } })
  expect(response.status).toBe(200)
  return (await response.json()) as Announcement
}

const read = async (admin: Person, file_id: string) =>
  (await (await admin.call('GET', path(file_id))).json()) as Announcement

/** Each in a minute of its own. */
async function queueAll(shop: TestShop, admin: Person, file_id: string): Promise<Announcement> {
  await expect
    .poll(
      async () => {
        await queueScheduledEmails(shop.services)
        return (await read(admin, file_id)).state
      },
      { timeout: 20_000 },
    )
    .toBe('done')
  return read(admin, file_id)
}

const inOrder = (addresses: string[]) => addresses.toSorted((a, b) => a.localeCompare(b))
const recipients = ({ emails }: TestSmtpServer) => inOrder(emails.map(({ envelope }) => envelope.to[0]!))
const addressesOf = (...people: Person[]) => inOrder(people.map(({ email }) => email))

test('who has paid and who got a copy are counted apart, and each reads what is true', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openTestShop({ env: { SMTP_URL: smtp.url } })
  const admin = await shop.person({ role: 'admin' })
  const buyer = await shop.person({ display_name: 'Ruth' })
  const { id: product_id } = await shop.product('digital')
  await buyer.buy(product_id)
  const grant = { product_id, list: 'naomi@books.example, Naomi', message: '' }
  expect((await admin.call('POST', '/api/admin/gifts', { body: grant })).status).toBe(200)
  await smtp.arrived(2)
  const file_id = await addEdition(shop, product_id)
  expect(await read(admin, file_id)).toMatchObject({ owners: 2, buyers: 1 })
  const preview = async (is_buyer: boolean) => {
    const body = { changes: 'A new chapter.', is_buyer }
    return (await (await admin.call('POST', `${path(file_id)}/preview`, { body })).json()) as MailPreview
  }
  const [bought, given] = [await preview(true), await preview(false)]
  for (const words of ['Dear Ruth,', 'You have bought the book', 'A new chapter.', '/dashboard'])
    expect(bought.text).toContain(words)
  for (const words of [
    'Dear Naomi,',
    'You have a copy of the book',
    'You have no password here',
    'form=code',
  ])
    expect(given.text).toContain(words)
  await announce(admin, file_id, 'A new chapter.')
  await queueAll(shop, admin, file_id)
  const textTo = (to: string) => smtp.emails.findLast(({ envelope }) => envelope.to[0] === to)?.email.text
  expect(textTo(buyer.email)).toContain('You have bought the book')
  expect(textTo('naomi@books.example')).toContain('You have a copy of the book')
})

test('owners from before the edition are told once; later buyers and the unwilling are not', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openTestShop({ env: { SMTP_URL: smtp.url } })
  const admin = await shop.person({ role: 'admin' })
  const [owner, ofBundle, unwilling, refunding, later] = [
    await shop.person({ display_name: 'Ruth' }),
    await shop.person(),
    await shop.person(),
    await shop.person(),
    await shop.person(),
  ]
  const product = await shop.product('digital')
  for (const buyer of [owner, unwilling]) await buyer.buy(product.id)
  await owner.buy(product.id)
  const { id: refunded } = await refunding.buy(product.id)
  await giveRefundRequest(shop.services.db, refunded, 14.99)
  await ofBundle.buy((await shop.product('bundle')).id)
  await unwilling.call('PUT', '/api/account/mail-choices', { body: { has_editions: false } })
  await smtp.arrived(5)
  smtp.emails.length = 0

  const file_id = await addEdition(shop, product.id)
  await later.buy(product.id)
  await smtp.arrived(1)
  smtp.emails.length = 0
  expect(await read(admin, file_id)).toMatchObject({
    state: 'none',
    owners: 2,
    buyers: 2,
    is_newest: true,
  })
  await Promise.all([announce(admin, file_id, 'A new chapter.\nFewer errors.'), announce(admin, file_id)])
  expect((await queueAll(shop, admin, file_id)).counts).toMatchObject({ sent: 2, skipped: 0, failed: 0 })
  await announce(admin, file_id, 'Again')
  await queueAll(shop, admin, file_id)
  expect(recipients(smtp)).toEqual(addressesOf(owner, ofBundle))

  const { email } = smtp.emails.find(({ envelope }) => envelope.to[0] === owner.email)!
  expect(email.text).toContain('Dear Ruth,')
  expect(email.text).toContain('Edition 2')
  const header = (name: string) => email.headers.find(({ key }) => key === name)?.value
  expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  expect(header('auto-submitted')).toBeUndefined()
  const link = /^<(.+)>$/.exec(header('list-unsubscribe') ?? '')![1]!
  expect(email.text).toContain(link)

  // As a mail program does by itself.
  const press = await fetch(new URL(new URL(link).pathname, shop.url), {
    method: 'POST',
    body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
  })
  expect(press.status).toBe(204)
  const choices = await owner.call('GET', '/api/account/mail-choices')
  expect(await choices.json()).toEqual({ has_editions: false })
  const third = await addEdition(shop, product.id, 3)
  // The buyer from between the editions is told now.
  expect((await announce(admin, third)).owners).toBe(2)
  expect((await queueAll(shop, admin, third)).counts).toMatchObject({ sent: 2 })
  expect(recipients(smtp)).toEqual(addressesOf(owner, ofBundle, ofBundle, later))
  const late = await admin.call('PUT', path(file_id), { body: { changes: '' } })
  expect(late.status).toBe(200)
  const fourth = await addEdition(shop, product.id, 4)
  await addEdition(shop, product.id, 5)
  expect((await admin.call('PUT', path(fourth), { body: { changes: '' } })).status).toBe(409)
})

test('from a network that has used up its limit, a known link still unsubscribes, and an unknown one is refused', async () => {
  const reader = await shop.person()
  await reader.call('PUT', '/api/account/mail-choices', { body: { has_editions: true } })
  const [row] = await shop.services.db.select({ token: mail_choices.token }).from(mail_choices)
  const own = row!.token
  const press = (token: string) => fetch(`${shop.url}/emails/${token}`, { method: 'POST' })
  const save = (has_editions: boolean) =>
    shop.call('PUT', `/api/mail-choices/${own}`, { body: { has_editions } })
  const choices = async () => (await reader.call('GET', '/api/account/mail-choices')).json()

  const unknown = Array.from({ length: perNetwork.limit + 1 }, () => randomBytes(16).toString('base64url'))
  const statuses: number[] = []
  for (const token of unknown) statuses.push((await press(token)).status)
  const beyond = statuses.pop()
  expect([new Set(statuses), beyond]).toEqual([new Set([404]), 429])

  // A provider presses for all its users from few networks.
  expect((await press(own)).status).toBe(204)
  expect(await choices()).toEqual({ has_editions: false })
  expect((await press(own)).status).toBe(204)
  expect((await shop.call('GET', `/api/mail-choices/${own}`)).status).toBe(200)
  expect((await save(false)).status).toBe(200)
  expect((await save(true)).status).toBe(429)
  expect((await shop.call('GET', `/api/mail-choices/${unknown[0]}`)).status).toBe(429)
})

test('without a mail server they wait; with one they keep to the limit of the hour, stop and go on', async () => {
  const { db, settings, mail } = shop.services
  const admin = await shop.person({ role: 'admin' })
  const product = await shop.product('digital')
  for (let nth = 0; nth < 4; nth += 1) await (await shop.person()).buy(product.id)
  const file_id = await addEdition(shop, product.id)
  expect(await announce(admin, file_id)).toMatchObject({
    state: 'under_way',
    is_mail_unsent: true,
    owners: 4,
  })
  const queued = () => db.$count(scheduled_emails, isNotNull(scheduled_emails.queued_at))
  await queueScheduledEmails(shop.services)
  expect(await queued()).toBe(0)

  let minutes = 0
  const atMost = (bulk_per_hour: number) => ({
    ...shop.services,
    mail: { ...mail, sendsMail: () => true },
    clock: () => new Date(Date.now() + minutes * 60_000),
    settings: {
      ...settings,
      get: () => ({ ...settings.get(), mail: { ...settings.get().mail, bulk_per_hour } }),
    },
  })
  const pass = async () => {
    await Promise.all([queueScheduledEmails(atMost(2)), queueScheduledEmails(atMost(2))])
    return queued()
  }
  expect(await pass()).toBe(2)
  minutes = 59
  expect(await pass()).toBe(2)
  const setPaused = (is_paused: boolean) =>
    admin.call('PUT', `${path(file_id)}/paused`, { body: { is_paused } })
  expect(await (await setPaused(true)).json()).toMatchObject({ state: 'paused', counts: { waiting: 2 } })
  minutes = 61
  expect(await pass()).toBe(2)
  await setPaused(false)
  expect(await pass()).toBe(4)
  const { rows } = await shop.services.database.pool.query(
    `select count(*) as jobs, count(distinct id) as ids from pgboss.job where name = 'mail.scheduled'`,
  )
  expect(rows).toEqual([{ jobs: 4, ids: 4 }])
})

test('a job that a crash repeats sends nothing twice, and a refused mailbox is counted', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openTestShop({ env: { SMTP_URL: smtp.url } })
  const admin = await shop.person({ role: 'admin' })
  const product = await shop.product('digital')
  const [owner, gone] = [await shop.person(), await shop.person()]
  await owner.buy(product.id)
  await smtp.arrived(1)
  const second = await addEdition(shop, product.id)
  await announce(admin, second)
  await queueAll(shop, admin, second)
  const [row] = await shop.services.db.select().from(scheduled_emails)
  for (const number of [1, 2])
    await scheduledEmailJob.run(shop.services, { id: row!.id }, { id: row!.mail_id!, number, isLast: false })
  expect(smtp.emails).toHaveLength(2)

  await gone.buy(product.id)
  await smtp.arrived(3)
  const third = await addEdition(shop, product.id, 3)
  smtp.behavior = 'knows no such mailbox'
  await announce(admin, third)
  expect((await queueAll(shop, admin, third)).counts).toMatchObject({ sent: 0, failed: 2 })
  // It is shown at the edition, and needs no attention.
  const { rows } = await shop.services.database.pool.query(
    `select count(*) from mails where kind = 'edition' and given_up_at is not null`,
  )
  expect(rows).toEqual([{ count: 0 }])
})

test('an edition stays with who bought it or an earlier one, and nobody else gets it', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const product = await shop.product('digital')
  const [early, late, stranger] = [await shop.person(), await shop.person(), await shop.person()]
  const { id: first } = await early.buy(product.id)
  await addEdition(shop, product.id)
  const { id: second } = await late.buy(product.id)
  const list = async (person: Person, id: string) => {
    const { items } = (await (await person.call('GET', `/api/purchases/${id}/editions`)).json()) as {
      items: OwnEdition[]
    }
    return items.filter(({ file_format }) => file_format === 'epub').map(({ edition }) => edition)
  }
  expect(await list(early, first)).toEqual([2, 1])
  expect(await list(late, second)).toEqual([2])
  expect((await stranger.call('GET', `/api/purchases/${first}/editions`)).status).toBe(404)
  const download = (person: Person, id: string, edition: number) =>
    person.call('POST', `/api/purchases/${id}/download`, { body: { file_format: 'epub', edition } })
  expect((await download(early, first, 1)).status).toBe(200)
  expect((await download(late, second, 1)).status).toBe(404)
  expect((await download(late, second, 2)).status).toBe(200)
  expect((await download(early, first, 3)).status).toBe(404)
  await giveRefundRequest(shop.services.db, first, 14.99)
  expect((await download(early, first, 1)).status).toBe(409)
  expect(await list(early, first)).toEqual([])
})
