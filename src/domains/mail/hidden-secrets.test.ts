// What signs in or opens something is on no screen: every kind of email, in a shop that keeps them and in one that sends.
import { randomUUID } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import type { Email } from 'postal-mime'
import { expect, test } from 'vitest'
import { outboxFolder } from '#platform/mail.ts'
import { codeIn, linkIn, mailsTo, openBrowser } from '#test/auth-client.ts'
import { giveCheckout } from '#test/factories.ts'
import { openLogLines } from '#test/log-lines.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { accountMailJob } from '#domains/accounts/account.emails.ts'
import { authorEmailJob } from './author-emails.jobs.ts'
import { backupNoticeJob } from '#domains/backup/backup-notices.ts'
import { webhookNoticeJob } from '#domains/settings/webhook-notices.ts'
import { backupFailedJob } from '#domains/backup/backup-runs.ts'
import { grantMailJob } from '#domains/delivery/grants.ts'
import { contactNoticeJob } from '#domains/readers/received-messages.ts'
import { replyJob, movedAwayJob } from '#domains/readers/readers.emails.ts'
import { declarationMailJob } from '#domains/payments/declarations.ts'
import { withdrawalMailJob } from '#domains/payments/withdrawals.ts'
import { outageMailJob } from '#domains/payments/outages.ts'
import { refundMailJob } from '#domains/payments/adjustments.ts'
import { receiptJob } from '#domains/orders/receipts.ts'
import { excerptJob } from '#domains/readers/excerpt.emails.ts'
import { lettersConfirmJob } from '#domains/readers/letters.emails.ts'
import { requestExcerpt } from './excerpt-requests.ts'
import { requestByMail } from './subscribers.ts'
import { waitlistConfirmJob } from '#domains/delivery/waitlist.ts'
import { shippedMailJob } from '#domains/orders/shipments.ts'
import type { Job } from '#platform/queue.ts'
import type { MailDetail, MailList } from '#contract/mail/mails.ts'
import { mailKinds, scheduledKinds, type MailKind, type ScheduledKind } from '#contract/mail/mail-kinds.ts'
import { queueScheduledEmails } from './scheduled-emails.ts'

/** Rows that the jobs read, all of them about one reader. */
async function openStage(shop: TestShop) {
  const { db, queue, database } = shop.services
  const insert = async (table: string, row: Record<string, unknown>) => {
    const names = Object.keys(row)
    const values = names.map((_, at) => `$${at + 1}`).join(', ')
    const query = `insert into ${table} (${names.join(', ')}) values (${values})`
    await database.pool.query(query, Object.values(row))
  }
  const [reader, admin] = [await shop.person(), await shop.person({ role: 'admin' })]
  const { id: product_id } = await shop.product('digital')
  const bought = async () => (await reader.buy(product_id)).id
  return {
    shop,
    reader,
    admin,
    product_id,
    bought,
    insert,
    sql: database.pool.query.bind(database.pool),
    run: <Payload extends object>(job: Job<Payload>, payload: Payload) => queue.enqueue(db, job, payload),
    schedule: async (kind: ScheduledKind, row: { about: string; version?: string; user_id?: string }) => {
      await insert('scheduled_emails', { kind, due_at: now(), ...row })
      await queueScheduledEmails(shop.services)
    },
  }
}
type Stage = Awaited<ReturnType<typeof openStage>>

const now = () => new Date()
const account = (payload: Parameters<Stage['run']>[1] & { kind: MailKind }) => (stage: Stage) =>
  stage.run(accountMailJob, { email: stage.reader.email, ...payload } as never)
const notice = (kind: MailKind) => account({ kind })
const ofAdmin = (kind: MailKind) => account({ kind, admin: 'admin@example.com' } as never)

async function present({ reader, insert, bought, schedule }: Stage) {
  const [purchase_id, revision] = [await bought(), randomUUID()]
  const row = {
    purchase_id,
    revision,
    email: 'friend@example.com',
    sender_name: reader.email,
    send_at: now(),
  }
  await insert('purchase_gifts', row)
  await schedule('gift_to_someone', { about: purchase_id, version: revision })
}

async function withdrawn({ insert, bought }: Stage, more: Record<string, unknown> = {}): Promise<string> {
  const purchase_id = await bought()
  await insert('withdrawals', { purchase_id, ...more })
  return purchase_id
}

async function message({ insert, reader }: Stage): Promise<string> {
  const id = randomUUID()
  const words = { name: 'Ruth', subject: 'Hello', message: 'A question' }
  await insert('contact_messages', { id, email: reader.email, ...words })
  return id
}

/** Each makes the email of its kind. */
const makers: Record<MailKind, (stage: Stage) => Promise<unknown>> = {
  async receipt(stage) {
    const purchase_id = await stage.bought()
    await stage.insert('guest_checkouts', { purchase_id, email: stage.reader.email })
    await stage.run(receiptJob, { purchase_id })
  },
  async gift({ insert, product_id, run, sql }) {
    const [gift_id, id, email] = [randomUUID(), randomUUID(), 'gifted@example.com']
    await sql('insert into auth.users (id, email, email_confirmed_at) values ($1, $2, now())', [id, email])
    const gift = {
      id: gift_id,
      email,
      product_id,
      sender_name: 'Ruth',
      revision: randomUUID(),
      send_at: now(),
    }
    await insert('purchase_gifts', gift)
    await run(grantMailJob, { gift_id })
  },
  async shipped({ shop, reader, sql, run }) {
    const { id: purchase_id } = await reader.buy((await shop.product('paperback')).id)
    const shipped_at = now()
    await sql('update shipments set shipped_at = $1 where purchase_id = $2', [shipped_at, purchase_id])
    await run(shippedMailJob, { purchase_id, shipped_at: shipped_at.toISOString() })
  },
  async refund({ bought, run, shop }) {
    const held_purchase_id = await bought()
    await giveCheckout(shop.services.db, { purchase_id: held_purchase_id })
    await run(refundMailJob, { held_purchase_id })
  },
  async refund_failed({ bought, insert, run }) {
    const row = { purchase_id: await bought(), amount: 1, currency: 'usd', reason: 'expired' }
    await insert('failed_refunds', { external_id: 're_1', ...row })
    await run(refundMailJob, { failed_refund: 're_1' })
  },
  withdrawal: async (stage) =>
    stage.run(withdrawalMailJob, { purchase_id: await withdrawn(stage), news: 'declared' }),
  async withdrawal_declared({ insert, reader, run }) {
    const declaration_id = randomUUID()
    await insert('withdrawal_declarations', {
      id: declaration_id,
      name: 'Ruth',
      email: reader.email,
      number: 1001,
    })
    await run(declarationMailJob, { declaration_id })
  },
  withdrawal_refused: async (stage) => {
    const refused = { decision: 'refused', refusal: 'Too late', decided_at: now() }
    await stage.run(withdrawalMailJob, { purchase_id: await withdrawn(stage, refused), news: 'refused' })
  },
  async payment_outage({ insert, run }) {
    const id = randomUUID()
    await insert('payment_outages', { id, reason: 'denied', began_at: now(), ended_at: now() })
    await run(outageMailJob, { outage_id: id })
  },
  async backup_failed({ insert, run }) {
    const id = randomUUID()
    await insert('backup_runs', { id, kind: 'backup', started_by: 'clock', problems: '["No room"]' })
    await run(backupFailedJob, { run_id: id })
  },
  backups_changed: ({ run, admin }) =>
    run(backupNoticeJob, { notice: 'download', email: admin.email, admin: admin.email, place: '' }),
  webhook_changed: ({ run, admin }) =>
    run(webhookNoticeJob, { notice: 'set', email: admin.email, admin: admin.email, host: 'hooks.example' }),
  contact: async (stage) => stage.run(contactNoticeJob, { message_id: await message(stage) }),
  async reply(stage) {
    const id = randomUUID()
    await stage.insert('message_replies', { id, message_id: await message(stage), body: 'An answer' })
    await stage.run(replyJob, { reply_id: id })
  },
  async edition(stage) {
    await stage.bought()
    const { rows } = await stage.sql('update product_files set created_at = now() returning id, product_id')
    const file_id = rows.find(({ product_id }) => product_id === stage.product_id)!.id
    await stage.schedule('edition', { about: file_id, user_id: stage.reader.id })
  },
  async moved_away({ insert, bought, run }) {
    const id = randomUUID()
    const row = { from_email: 'before@example.com', to_email: 'after@example.com', reason: 'asked' }
    await insert('purchase_moves', { id, purchase_id: await bought(), ...row })
    await run(movedAwayJob, { move_id: id })
  },
  async release_out(stage) {
    await stage.bought()
    await stage.sql(`update products set release_on = '2020-01-01' where id = $1`, [stage.product_id])
    const row = { about: stage.product_id, user_id: stage.reader.id, version: '2020-01-01' }
    await stage.schedule('release_out', row)
  },
  async release_moved(stage) {
    const { id: product_id } = await stage.shop.product('paperback')
    await stage.reader.buy(product_id)
    await stage.sql(`update products set release_on = '2100-01-01' where id = $1`, [product_id])
    const row = { about: product_id, user_id: stage.reader.id, version: '2100-01-01' }
    await stage.schedule('release_moved', row)
  },
  async waitlist_confirm({ insert, product_id, run }) {
    const id = randomUUID()
    await insert('release_waitlist', { id, product_id, email: 'waiting@example.com' })
    await run(waitlistConfirmJob, { id, network: '192.0.2.1' })
  },
  async letters_confirm({ shop, run }) {
    const { db } = shop.services
    const request = {
      email: 'letters@example.com',
      words: 'Letters',
      language: 'en',
      source: 'letters' as const,
    }
    const id = await db.transaction((tx) => requestByMail(tx, { ...request, days: 7 }, now()))
    if (id) await run(lettersConfirmJob, { id, network: '192.0.2.1' })
  },
  async excerpt_link({ shop, insert, run }) {
    await insert('excerpt_file', { file_path: 'ebooks/1-excerpt.pdf', file_format: 'pdf', file_size: 1 })
    const { db } = shop.services
    const request = { email: 'excerpt@example.com', agreed: undefined }
    const id = await db.transaction((tx) => requestExcerpt(tx, request, now()))
    if (id) await run(excerptJob, { id, network: '192.0.2.1' })
  },
  gift_to_someone: present,
  async author(stage) {
    const id = await withdrawn(stage)
    await giveCheckout(stage.shop.services.db, { purchase_id: id, is_live: true })
    await stage.run(authorEmailJob, { name: 'refund_asked', id })
  },
  sign_up: ({ shop }) =>
    shop.call('POST', '/auth/v1/signup', { body: { email: 'new@example.com', password: 'nine good words' } }),
  verify_again: ({ shop }) =>
    shop.call('POST', '/auth/v1/resend', { body: { email: 'new@example.com', type: 'signup' } }),
  sign_in: ({ shop, admin }) => shop.call('POST', '/auth/v1/otp', { body: { email: admin.email } }),
  reauthenticate: ({ admin }) => admin.call('GET', '/auth/v1/reauthenticate'),
  recovery: ({ shop, admin }) => shop.call('POST', '/auth/v1/recover', { body: { email: admin.email } }),
  invitation: ({ admin }) =>
    admin.call('POST', '/api/admin/admins', { body: { email: 'second@example.com' } }),
  email_change: ({ admin }) => admin.call('PUT', '/auth/v1/user', { body: { email: 'changed@example.com' } }),
  email_change_again: ({ shop, admin }) =>
    shop.call('POST', '/auth/v1/resend', { body: { email: admin.email, type: 'email_change' } }),
  email_changed: account({ kind: 'email_changed', new_email: 'new@example.com' } as never),
  password_changed: notice('password_changed'),
  factor_added: notice('factor_added'),
  factor_removed: notice('factor_removed'),
  passkey_added: notice('passkey_added'),
  passkey_removed: notice('passkey_removed'),
  factors_reset: notice('factors_reset'),
  recovery_codes_made: notice('recovery_codes_made'),
  recovery_code_used: account({ kind: 'recovery_code_used', left: 3 } as never),
  sessions_ended: notice('sessions_ended'),
  data_taken: notice('data_taken'),
  data_offered: notice('data_offered'),
  erasure_offered: notice('erasure_offered'),
  erasure_asked: account({ kind: 'erasure_asked', due_at: now().toISOString() } as never),
  erasure_canceled: notice('erasure_canceled'),
  account_restored: notice('account_restored'),
  admin_added: ofAdmin('admin_added'),
  admin_removed: ofAdmin('admin_removed'),
  admin_disabled: ofAdmin('admin_disabled'),
  admin_enabled: ofAdmin('admin_enabled'),
}

/** These wait for a mail server. */
const scheduled = new Set<string>(scheduledKinds)
/** Those that carry a right: the walk would prove nothing, were they without. */
const rights: MailKind[] = [
  'receipt',
  'gift',
  'moved_away',
  'waitlist_confirm',
  'letters_confirm',
  'excerpt_link',
  'gift_to_someone',
  'sign_up',
  'verify_again',
  'sign_in',
  'recovery',
  'invitation',
  'email_change',
  'email_change_again',
]

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

/** A token is a long word of a link that is no id; a code stands alone in its line. */
function secretsOf({ text = '', html = '', headers }: Email): string[] {
  const values = headers.map(({ key, value }) => (key === 'x-secrets' ? '' : value))
  const links = [text, html, ...values].join(' ').match(/https?:\/\/[^\s"<>]+/g) ?? []
  const words = links.flatMap((link) => link.split(/[/?#&;=.]/))
  const codes = [...text.matchAll(/^\d{6}$/gm)].map(([code]) => code)
  return [...words.filter((word) => /^[\w-]{20,}$/.test(word) && !uuid.test(word)), ...codes]
}

async function makeAll(stage: Stage, kinds: readonly MailKind[]): Promise<void> {
  for (const kind of kinds) {
    await makers[kind](stage)
    const query = 'select from mails where kind = $1'
    await expect.poll(async () => (await stage.sql(query, [kind])).rowCount, { message: kind }).not.toBe(0)
  }
}

/** What an admin's session reads of all emails, and what is saved of them for when they are sent. */
async function readScreens({ shop, admin, sql }: Stage): Promise<string> {
  const shown: string[] = []
  const read = async (path: string) => {
    const text = await (await admin.call('GET', path)).text()
    shown.push(text)
    return text
  }
  for (let after: string | null = ''; after !== null;) {
    const { items, next } = JSON.parse(await read(`/api/admin/mails${after}`)) as MailList
    for (const { id } of items) {
      const { file } = JSON.parse(await read(`/api/admin/mails/${id}`)) as MailDetail
      if (file) shown.push(await (await shop.call('GET', file.page_url)).text())
    }
    after = next && `?after=${encodeURIComponent(next)}`
  }
  const { rows } = await sql(`select body from mails`)
  shown.push(JSON.stringify(rows))
  return shown.join('\n')
}

async function kindsById({ sql }: Stage): Promise<Map<string, MailKind>> {
  const { rows } = await sql('select id, kind from mails')
  return new Map((rows as { id: string; kind: MailKind }[]).map(({ id, kind }) => [id, kind]))
}

async function expectHidden(stage: Stage, expected: readonly MailKind[]): Promise<void> {
  const screens = await readScreens(stage)
  const byId = await kindsById(stage)
  const carrying = new Set<MailKind>()
  for (const mail of await stage.shop.mailbox.all()) {
    const kind = byId.get(mail.messageId?.slice(1).split('@')[0] ?? '')
    const secrets = secretsOf(mail)
    if (kind && secrets.length > 0) carrying.add(kind)
    for (const secret of secrets) expect(screens, `${kind}: ${secret}`).not.toContain(secret)
  }
  expect([...carrying]).toEqual(expect.arrayContaining([...expected]))
}

test('in a shop that keeps its emails, no token of any kind of email is on a screen, and none has a code', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off', ADMIN_EMAIL: 'author@example.com' } })
  const stage = await openStage(shop)
  const written = (Object.keys(mailKinds) as MailKind[]).filter(
    (kind) => !scheduled.has(kind) && kind !== 'reauthenticate',
  )
  await makeAll(stage, written)
  await makers.reauthenticate(stage)
  await expectHidden(
    stage,
    rights.filter((kind) => !scheduled.has(kind)),
  )
  for (const { subject, text } of await shop.mailbox.all()) expect(text, subject).not.toMatch(/^\d{6}$/m)
})

test('in a shop that sends its emails, the log of none has a token or a code', async () => {
  await using shop = await openTestShop({
    sendsMail: true,
    env: { RATE_LIMIT: 'off', ADMIN_EMAIL: 'author@example.com' },
  })
  const stage = await openStage(shop)
  await makeAll(stage, Object.keys(mailKinds) as MailKind[])
  await expectHidden(stage, [...rights, 'edition', 'reauthenticate'])
})

test('the code in the subject of an email is in the mailbox alone', async () => {
  const { log, lines } = openLogLines('trace')
  await using shop = await openTestShop({ log, sendsMail: true, env: { RATE_LIMIT: 'off' } })
  const stage = await openStage(shop)
  const { reader, sql } = stage
  const { auth } = await openBrowser(shop.url, { deviceId: randomUUID() })
  expect((await auth.signInWithOtp({ email: reader.email })).error).toBeNull()
  expect((await reader.call('GET', '/auth/v1/reauthenticate')).status).toBe(200)
  const emails = await mailsTo(shop, reader.email, 2)
  const codes = emails.map(codeIn)
  for (const [at, { subject, html = '' }] of emails.entries()) {
    const begins = `${codes[at]} is your code`
    expect(subject).toBe(begins)
    // The hidden preview comes first.
    expect(
      html
        .slice(html.indexOf('<body'))
        .replaceAll(/<[^>]*>/g, '')
        .trim(),
    ).toMatch(new RegExp(`^${begins}`))
  }
  await expect.poll(async () => (await kindsById(stage)).size).toBe(2)

  const places = [await readScreens(stage), JSON.stringify(lines)]
  places.push(await (await reader.call('POST', '/api/account/data')).text())
  places.push(await (await stage.admin.call('GET', '/api/admin/needs-attention')).text())
  // The rows of the queue are among them, and all that a backup copies.
  const { rows } =
    await sql(`select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`)
  for (const { name } of rows as { name: string }[])
    places.push(JSON.stringify((await sql(`select to_jsonb(t) as row from ${name} t`)).rows))
  expect(places[0]).toContain('Your sign-in code')
  // Digits of an id or a time are no code.
  for (const code of codes)
    for (const place of places) expect(place).not.toMatch(new RegExp(`(?<![\\da-f.-])${code}(?![\\da-f.-])`))
})

test('while mails are kept, asking for a code answers as ever, and a sign-in and a sign-up have their link alone', async () => {
  await using shop = await openTestShop({ isEmpty: true, env: { RATE_LIMIT: 'off' } })
  const [reader, signsUp] = [await shop.person(), 'new@example.com']
  const { auth } = await openBrowser(shop.url, { deviceId: randomUUID() })
  expect((await auth.signInWithOtp({ email: reader.email })).error).toBeNull()
  expect((await auth.signUp({ email: signsUp, password: 'nine good words' })).error).toBeNull()
  const asked = await reader.call('GET', '/auth/v1/reauthenticate')
  expect({ status: asked.status, body: await asked.json() }).toEqual({ status: 200, body: {} })
  const [signIn] = await mailsTo(shop, reader.email, 1)
  expect(signIn!.subject).toBe('Your sign-in link')
  for (const mail of [signIn!, ...(await mailsTo(shop, signsUp, 1))]) {
    expect(() => codeIn(mail)).toThrow('no code')
    expect(mail.text).not.toMatch(/\bcode\b/)
    expect((await (await openBrowser(shop.url)).auth.verifyOtp(linkIn(mail))).error).toBeNull()
  }
  const { rows } = await shop.services.database.pool.query('select code_signature from auth.one_time_tokens')
  expect(rows.every(({ code_signature }) => code_signature === null)).toBe(true)
  expect(await mailsTo(shop, reader.email, 1)).toHaveLength(1)
})

test('a mail whose file does not say what is secret shows its saved text alone', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' } })
  const stage = await openStage(shop)
  await shop.call('POST', '/auth/v1/recover', { body: { email: stage.admin.email } })
  await makers.reply(stage)
  const find = async () => readdir(outboxFolder(shop.services.config))
  await expect.poll(async () => (await kindsById(stage)).size).toBe(2)
  for (const file of await find()) {
    const path = `${outboxFolder(shop.services.config)}/${file}`
    await writeFile(path, (await readFile(path, 'utf8')).replace(/^x-secrets:.*\r\n/, ''))
  }
  const byId = await kindsById(stage)
  for (const file of await find()) {
    const id = file.slice(25, -'.eml'.length)
    const mail = (await (await stage.admin.call('GET', `/api/admin/mails/${id}`)).json()) as MailDetail
    const page = await (await shop.call('GET', mail.file?.page_url ?? '')).text()
    if (byId.get(id) === 'reply')
      expect([mail.text, page]).toEqual(Array(2).fill(expect.stringContaining('An answer')))
    else expect([mail.text, page]).toEqual([null, '<pre></pre>'])
  }
})
