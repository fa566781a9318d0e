// What the version before has scheduled in tables of its own is sent once, by one of the two.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { giveFile } from '#test/factories.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { openSmtpServer } from '#test/smtp.ts'
import { queueScheduledEmails, takeOverEmails } from '#domains/mail/scheduled-emails.ts'

const day = 86_400_000

/** A job of the version before, which this one has no worker for. */
async function giveJob(shop: TestShop, name: string, { state = 'created', data = {} }): Promise<string> {
  const { pool } = shop.services.database
  const id = randomUUID()
  await pool.query(`select pgboss.create_queue($1, '{"policy":"standard"}'::jsonb)`, [name])
  await pool.query('insert into pgboss.job (id, name, data, state) values ($1, $2, $3, $4)', [
    id,
    name,
    data,
    state,
  ])
  return id
}

test('of an edition: what was sent is known, what waits is sent, and what is being sent stays with who sends it', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openTestShop({ env: { SMTP_URL: smtp.url } })
  const { pool } = shop.services.database
  const admin = await shop.person({ role: 'admin' })
  const { id: product_id } = await shop.product('digital')
  const owners = [await shop.person(), await shop.person(), await shop.person(), await shop.person()]
  for (const owner of owners) await owner.buy(product_id)
  await smtp.arrived(4)
  smtp.emails.length = 0
  const file_id = randomUUID()
  await giveFile(shop.services.db, {
    id: file_id,
    file_path: 'ebooks/second.epub',
    product_id,
    file_format: 'epub',
  })
  const [told, waiting, queued, underWay] = owners.map(({ id }) => id)
  const [waitingJob, activeJob] = [
    await giveJob(shop, 'mail.edition', {}),
    await giveJob(shop, 'mail.edition', { state: 'active' }),
  ]
  await pool.query('insert into edition_announcements (file_id) values ($1)', [file_id])
  await pool.query(
    `insert into edition_mails (file_id, user_id, queued_at, mail_id, outcome) values
      ($1, $2, now(), gen_random_uuid(), 'sent'), ($1, $3, null, null, null), ($1, $4, now(), $6, null), ($1, $5, now(), $7, null)`,
    [file_id, told, waiting, queued, underWay, waitingJob, activeJob],
  )

  await Promise.all([takeOverEmails(shop.services), takeOverEmails(shop.services)])
  expect((await pool.query('select user_id from edition_mails')).rows).toEqual([{ user_id: underWay }])
  const jobs = `select id from pgboss.job where name = 'mail.edition'`
  expect((await pool.query(jobs)).rows).toEqual([{ id: activeJob }])
  const mailIds = 'select mail_id from scheduled_emails where user_id = $1'
  expect((await pool.query(mailIds, [queued])).rows).toEqual([{ mail_id: waitingJob }])

  await queueScheduledEmails(shop.services)
  await smtp.arrived(2)
  await pool.query(`update edition_mails set outcome = 'sent'`)
  await pool.query(`update pgboss.job set state = 'completed' where id = $1`, [activeJob])
  await takeOverEmails(shop.services)
  const announcement = async () =>
    (await admin.call('GET', `/api/admin/editions/${file_id}/announcement`)).json()
  await expect.poll(announcement).toMatchObject({ state: 'done', owners: 4, counts: { sent: 4 } })
  expect(smtp.emails).toHaveLength(2)
})

test('of a release: its readers, and who waits for it', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openTestShop({ env: { SMTP_URL: smtp.url } })
  const { pool } = shop.services.database
  const reader = await shop.person()
  const { id: product_id } = await shop.product('digital')
  await reader.buy(product_id)
  await smtp.arrived(1)
  await pool.query(
    `update products set release_on = current_date - 1, release_queued_at = now() where id = $1`,
    [product_id],
  )
  await pool.query(
    `insert into release_mails (product_id, user_id, news, release_on)
     select id, $2, 'out', release_on from products where id = $1`,
    [product_id, reader.id],
  )
  await pool.query(
    `insert into release_waitlist (id, product_id, email, confirmed_at, outcome) values
      (gen_random_uuid(), $1, 'ruth@example.com', now(), null), (gen_random_uuid(), $1, '', now(), 'sent'),
      (gen_random_uuid(), $1, 'silent@example.com', null, null)`,
    [product_id],
  )
  await takeOverEmails(shop.services)
  await takeOverEmails(shop.services)
  await queueScheduledEmails(shop.services)
  await smtp.arrived(3)
  await expect
    .poll(async () => (await pool.query('select email from release_waitlist')).rows)
    .toEqual([{ email: 'silent@example.com' }])
  await takeOverEmails(shop.services)
  await queueScheduledEmails(shop.services)
  const { rows } = await pool.query('select kind, outcome from scheduled_emails order by kind')
  expect(rows).toEqual([
    { kind: 'release_out', outcome: 'sent' },
    { kind: 'release_waitlist', outcome: 'sent' },
  ])
})

test('of gifts: those for a day, under way, sent and to be reminded of', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openTestShop({ env: { SMTP_URL: smtp.url } })
  const { pool } = shop.services.database
  const buyer = await shop.person()
  const { id: product_id } = await shop.product('digital')
  const gifts = await Promise.all(
    ['later', 'queued', 'sent', 'opened'].map(async (name) => ({
      name,
      id: (await buyer.buy(product_id)).id,
      revision: randomUUID(),
    })),
  )
  await smtp.arrived(4)
  smtp.emails.length = 0
  const long = new Date(Date.now() - 31 * day)
  const columns: Record<string, unknown[]> = {
    later: [new Date(Date.now() + day), null, null, null],
    queued: [new Date(), new Date(), null, null],
    sent: [long, long, long, null],
    opened: [long, long, long, new Date()],
  }
  for (const { name, id, revision } of gifts)
    await pool.query(
      `insert into purchase_gifts (purchase_id, email, sender_name, revision, send_at, queued_at, sent_at, opened_at)
       values ($1, $2, 'Aquila', $3, $4, $5, $6, $7)`,
      [id, `${name}@example.com`, revision, ...columns[name]!],
    )
  const queued = gifts.find(({ name }) => name === 'queued')!
  await giveJob(shop, 'mail.purchase_gift', {
    data: { kind: 'gift_to_someone', purchase_id: queued.id, revision: queued.revision },
  })

  await takeOverEmails(shop.services)
  await takeOverEmails(shop.services)
  const states = async () => {
    const list = (await (await buyer.call('GET', '/api/purchases')).json()) as {
      items: { given: { email: string; state: string } }[]
    }
    return Object.fromEntries(list.items.map(({ given }) => [given.email.split('@')[0], given.state]))
  }
  expect(await states()).toEqual({ later: 'scheduled', queued: 'scheduled', sent: 'sent', opened: 'opened' })
  await queueScheduledEmails(shop.services)
  await smtp.arrived(3)
  const to = smtp.emails.map(({ envelope }) => envelope.to[0])
  expect(new Set(to)).toEqual(new Set(['queued@example.com', 'sent@example.com', buyer.email]))
  await expect.poll(states).toMatchObject({ queued: 'sent' })
})
