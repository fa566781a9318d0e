// What a person at a terminal reads when the shop is open.
import { expect, test, vi } from 'vitest'
import { openDatabase } from '#platform/db/client.ts'
import { createLog } from '#platform/log.ts'
import { openLogLines } from '#test/log-lines.ts'
import { openTestShop } from '#test/shop.ts'
import { readConfig } from './config.ts'
import { announceOpening, describeOpening, isMailReadable } from './opening.ts'

const payments = { mode: () => 'none' as const }
const setupLink = 'https://books.example/setup#1.x'

test('a new shop says where it is, where its mails are, and how its admin account is made', () => {
  const site = {
    config: readConfig({}),
    payments,
    saleMode: 'sample' as const,
    siteUrl: 'https://books.example',
  }
  const text = describeOpening({ ...site, mailsAreKept: true, setupLink })
  expect(text).toContain('  Shop          https://books.example\n')
  expect(text).toContain('  Admin area    https://books.example/admin\n')
  expect(text).toContain('  Unsent mails  https://books.example/admin/mails\n')
  expect(text).toContain(`  Set it up     ${setupLink}\n`)
  expect(text).toContain('No payment provider is set')
})

test('a shop with an admin and a mail server prints neither the setup link nor the mails', () => {
  const site = {
    config: readConfig({}),
    payments,
    saleMode: 'sample' as const,
    siteUrl: 'https://books.example',
  }
  const text = describeOpening({ ...site, mailsAreKept: false, setupLink: undefined })
  expect(text).not.toMatch(/Set it up|Unsent mails|24 hours/)
})

test('a shop whose opening cannot be announced stays open, and says so in its log', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  await using away = openDatabase('postgres://nobody@127.0.0.1:1/nothing')
  const { services } = shop
  const log = createLog('silent')
  vi.spyOn(log, 'warn')
  const config = { ...services.config, isTerminal: true }
  await announceOpening({ ...services, config, log, db: away.db })
  expect(log.warn).toHaveBeenCalledWith(
    { err: expect.any(Error) },
    'the shop is open, but its opening could not be announced',
  )
})

test('a log says that there is no admin, and nothing that makes one', async () => {
  const { log, lines } = openLogLines()
  await using shop = await openTestShop({ hasWorkers: false })
  const { services } = shop
  const announce = () =>
    announceOpening({ ...services, config: { ...services.config, isTerminal: false }, log })
  await announce()
  const text = JSON.stringify(lines)
  expect(text).toContain('There is no admin yet')
  expect(text).not.toContain('/setup')
  lines.length = 0
  await shop.person({ role: 'admin' })
  await announce()
  expect(JSON.stringify(lines)).not.toContain('There is no admin yet')
})

test('a terminal gets warnings and errors besides, a log everything', () => {
  expect(readConfig({}, true).logLevel).toBe('warn')
  expect(readConfig({}, false).logLevel).toBe('info')
  expect(readConfig({ LOG_LEVEL: 'debug' }, true).logLevel).toBe('debug')
})

test.each([
  [undefined, false],
  ['smtps://user:secret@mail.example', false],
  ['smtp://user:secret@mail.example:587', true],
  ['smtp://mail.example?requireTLS=false', true],
  ['smtp://user:secret@mail.example:587?requireTLS=true', false],
  ['smtp://mail.example:465?secure=true', true],
  ['smtp://localhost:1025', false],
  ['smtp://127.0.0.1', false],
  ['smtp://[::1]:25', false],
  ['smtp://localhost.example', true],
])('whether mails may be read on their way through %s: %s', (SMTP_URL, isReadable) => {
  expect(isMailReadable(readConfig({ SMTP_URL }))).toBe(isReadable)
})
