// A server that is killed at each step of a delivery: none is lost, and no confirmation comes after an end.
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { endSubscription, isOfAddress, subscribe } from '#domains/mail/subscribers.ts'
import { queueDeliveries } from '#domains/mail/webhook-deliveries.ts'
import { ensureBuilt } from '#tools/build.ts'
import { createRandom } from '../torture/random.ts'
import { startShop } from '../running-shop.ts'
import { openTestShop } from '../shop.ts'
import { openWebhookReceiver } from '../webhook-receiver.ts'
import { rows } from '../guests.ts'

beforeAll(() => ensureBuilt())
vi.setConfig({ testTimeout: 300_000 })

const words = { words: 'Letters, once a month.', language: 'en', source: 'account' as const }

test('none of ten deliveries is lost when the server is killed before, during and after each request', async () => {
  await using receiver = await openWebhookReceiver()
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-webhook-'))
  const certificateFile = join(folder.path, 'certificate.pem')
  await writeFile(certificateFile, receiver.certificate)
  const secret = 'a secret of at least thirty-two letters'
  // This process records and enqueues; the other one, which is killed, has the workers.
  await using shop = await openTestShop({
    hasWorkers: false,
    env: { WEBHOOK_PRIVATE_HOSTS: 'on', AUTH_SECRET: secret },
  })
  const { services } = shop
  const author = await shop.person({ role: 'admin' })
  const set = await author.call('PUT', '/api/admin/webhook', { body: { url: receiver.url } })
  receiver.secret = ((await set.json()) as { signing_secret: string }).signing_secret
  await using victim = await startShop(folder.path, {
    env: {
      DATABASE_URL: services.database.url,
      AUTH_SECRET: secret,
      SITE_URL: shop.url,
      WEBHOOK_PRIVATE_HOSTS: 'on',
      NODE_EXTRA_CA_CERTS: certificateFile,
      ADMIN_EMAIL: '',
      ADMIN_PASSWORD: '',
    },
  })
  const random = createRandom(1)
  const kill = () => victim.kill('the server', random)
  const emails = Array.from({ length: 5 }, (_, n) => `reader${n}@example.com`)

  const subscribeOne = (email: string) =>
    services.db.transaction((tx) => subscribe(tx, { email, ...words }, new Date()))
  // Killed while the receiver has the request and says nothing yet.
  const during = Promise.withResolvers<void>()
  receiver.answer = () => during.resolve()
  for (const email of emails) await subscribeOne(email)
  // Killed before they are enqueued: the rows are in the database.
  await kill()
  await queueDeliveries(services)
  await during.promise
  await kill()
  // Killed when the receiver has just taken one.
  const after = Promise.withResolvers<void>()
  receiver.answer = (response) => response.writeHead(204).end(() => after.resolve())
  await after.promise
  await kill()
  for (const email of emails) await endSubscription(services.db, isOfAddress(email), new Date())
  const open = () =>
    rows(shop, 'select event, status, job_id from webhook_deliveries where settled_at is null')
  await vi.waitUntil(
    async () => {
      await queueDeliveries(services)
      return (await open()).length === 0
    },
    { timeout: 200_000, interval: 1_000 },
  )
  const outcomes = await rows<{ event: string; status: string }>(
    shop,
    'select event, status from webhook_deliveries order by number',
  )
  expect(outcomes).toHaveLength(10)
  for (const { status } of outcomes) expect(['delivered', 'dropped']).toContain(status)
  expect(receiver.refused).toEqual([])
  for (const email of emails) {
    const story = receiver.received.filter(({ data }) => data['email'] === email).map(({ type }) => type)
    // The end of what was never told is not told either.
    if (story.length === 0) continue
    const end = story.indexOf('subscriber.ended')
    expect(end).toBeGreaterThanOrEqual(0)
    expect(story.slice(end)).not.toContain('subscriber.confirmed')
  }
})
