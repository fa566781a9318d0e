// Mail servers inside the shop's own network: the screen reaches none, what was stored before stays in use.
import { expect, test } from 'vitest'
import { logInToMailServer } from '#platform/mail.ts'
import { openMailShop, save, sendTest, valuesOf } from '#test/mail-setup.ts'
import { openSmtpServer } from '#test/smtp.ts'
import type { Shop } from '../../shop.ts'
import type { MailTest } from '#contract/mail/mail-settings.ts'

/** As an older version stored it. */
async function storeMail({ database, settings }: Shop, fields: object): Promise<void> {
  await database.pool.query(
    `insert into settings (name, fields, revision, changed_at, changed_by) values ('mail', $1, 1, now(), 'x')
      on conflict (name) do update set fields = $1, revision = 1`,
    [fields],
  )
  await settings.refresh()
}

const onlyPublic = { SMTP_PRIVATE_HOSTS: 'off' }

test('the screen reaches no machine of the shop’s own network, and only ports of mail', async () => {
  await using shop = await openMailShop({ hasWorkers: false, isEmpty: true, env: onlyPublic })
  const server = { port: 587, encryption: 'starttls' }
  for (const host of [
    '127.0.0.1',
    'localhost',
    '10.0.0.7',
    '169.254.169.254',
    '[::1]',
    '[::ffff:10.0.0.7]',
    '[fd00::1]',
  ]) {
    const { status, body } = await save(shop.admin, { ...server, host })
    expect([host, status, Object.keys(body.fields ?? {})]).toEqual([host, 422, ['host']])
  }
  for (const port of [22, 80, 5432, 6379]) {
    const { status, body } = await save(shop.admin, { ...server, host: 'smtp.example.com', port })
    expect([port, status, Object.keys(body.fields ?? {})]).toEqual([port, 422, ['port']])
  }
  expect(await save(shop.admin, { is_public_only: false })).toMatchObject({ status: 422 })
})

test('a name that leads inside is refused in the same words, whether something listens there or not', async () => {
  await using shop = await openMailShop({ hasWorkers: false, isEmpty: true, env: onlyPublic })
  const { admin, services } = shop
  const results: MailTest[] = []
  // To the form these are names; the system looks them up as 127.0.0.1.
  const hosts = [
    ['127.1', 25],
    ['127.1', 465],
    ['2130706433', 587],
  ] as const
  for (const [revision, [host, port]] of hosts.entries()) {
    expect((await save(admin, { host, port, encryption: 'starttls' }, revision)).status).toBe(200)
    results.push(await sendTest(admin))
    await expect(logInToMailServer(services)).rejects.toThrow('The shop did not connect')
  }
  const refused = {
    to: admin.email,
    is_accepted: false,
    answer: 'The shop did not connect: the server is not on the internet.',
    advice: expect.stringContaining('SMTP_URL'),
  }
  expect(results).toEqual([refused, refused, refused])
})

test('a server inside that an older version has stored stays in use until another is entered', async () => {
  await using smtp = await openSmtpServer()
  await using shop = await openMailShop({ hasWorkers: false, isEmpty: true, env: onlyPublic })
  const { admin, services } = shop
  await storeMail(services, valuesOf(smtp))
  expect(await sendTest(admin)).toMatchObject({ is_accepted: true })
  expect((await save(admin, { from_name: 'Another', dkim_selector: 's1' }, 1)).status).toBe(200)
  const { host, port } = valuesOf(smtp)
  expect((await save(admin, { host, port, from_name: 'A third' }, 2)).status).toBe(200)
  expect(await sendTest(admin)).toMatchObject({ is_accepted: true })
  expect((await save(admin, { port: 6379 }, 3)).status).toBe(422)
  expect((await save(admin, { host: 'smtp.example.com', port: 587, encryption: 'tls' }, 3)).status).toBe(200)
  expect((await save(admin, valuesOf(smtp), 4)).status).toBe(422)
})

test('a relay on the machine is set with SMTP_URL, also over a server that was entered before', async () => {
  await using smtp = await openSmtpServer()
  const env = { ...onlyPublic, SMTP_URL: smtp.url }
  await using shop = await openMailShop({ hasWorkers: false, isEmpty: true, env })
  const { admin, services } = shop
  await storeMail(services, { host: 'smtp.example.com', port: 587, is_public_only: true })
  expect((await save(admin, { from_name: 'Another' }, 1)).status).toBe(200)
  expect(await sendTest(admin)).toMatchObject({ is_accepted: true })
})
