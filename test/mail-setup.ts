// What tests of the mail screen do there.
import { expect } from 'vitest'
import type { MailTest } from '#contract/mail/mail-settings.ts'
import { openTestShop, type TestShop } from './shop.ts'
import type { TestSmtpServer } from './smtp.ts'
import type { Person } from './users.ts'

export const path = '/api/admin/settings/mail'

export function valuesOf(server: Pick<TestSmtpServer, 'url'>) {
  const { hostname: host, port } = new URL(server.url)
  const sender = { from_name: 'The Book', from_address: 'Shop@books.example' }
  return { host, port: Number(port), encryption: 'none', ...sender }
}

export async function save(admin: Person, values: object, revision = 0) {
  const response = await admin.call('PUT', path, { body: { revision, values } })
  return { status: response.status, body: (await response.json()) as { fields?: object; code?: string } }
}

export async function sendTest(admin: Person): Promise<MailTest> {
  const response = await admin.call('POST', '/api/admin/mail/test', { body: {} })
  expect(response.status).toBe(200)
  return (await response.json()) as MailTest
}

export async function openMailShop(
  more: Parameters<typeof openTestShop>[0] = {},
): Promise<TestShop & { admin: Person }> {
  // The servers of these tests are on this machine.
  const shop = await openTestShop({ ...more, env: { SMTP_PRIVATE_HOSTS: 'on', ...more.env } })
  return Object.assign(shop, { admin: await shop.person({ role: 'admin' }) })
}
