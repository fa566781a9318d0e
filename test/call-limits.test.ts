// Calls that cost something, or try something out, and are limited by account or by network.
import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { perNetwork } from '#platform/http/rate-limits.ts'
import { openTestShop } from './shop.ts'

type Limited = { limit: number; call: () => Promise<Response> }

async function statusesOf({ limit, call }: Limited) {
  const statuses: number[] = []
  for (let calls = 0; calls <= limit; calls += 1) statuses.push((await call()).status)
  return { within: new Set(statuses.slice(0, limit)), beyond: statuses[limit] }
}

test('backups, repeated mails, tests of the webhook and looks at address links are limited', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const backups = () => admin.call('POST', '/api/admin/backups', { body: { kind: 'backup' } })
  const mails = () => admin.call('POST', `/api/admin/payments/mail/${randomUUID()}/again`)
  const webhookTests = () => admin.call('POST', '/api/admin/webhook/test', { body: {} })
  const links = () => {
    const token_hash = randomBytes(32).toString('base64url')
    return shop.call('POST', '/api/account/address-link', { body: { token_hash } })
  }
  for (const limited of [
    { limit: 10, call: backups },
    { limit: 60, call: mails },
    { limit: 20, call: webhookTests },
    { limit: perNetwork.limit, call: links },
  ]) {
    const { within, beyond } = await statusesOf(limited)
    expect([limited.call.name, within.has(429), beyond]).toEqual([limited.call.name, false, 429])
  }
  // Beside the other door to the same mails, which counts with it.
  const again = await admin.call('POST', `/api/admin/mails/${randomUUID()}/again`)
  expect(again.status).toBe(429)
})
