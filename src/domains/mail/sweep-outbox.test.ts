import { randomUUID } from 'node:crypto'
import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listOutbox, outboxFolder, writeToOutbox } from '#platform/outbox.ts'
import { openTestShop } from '#test/shop.ts'
import { sweep } from '../../background.ts'

test('a mail that was kept is deleted after 90 days, as its record is', async () => {
  await using shop = await openTestShop({ hasWorkers: false, isEmpty: true })
  const { config } = shop.services
  const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000)
  for (const days of [91, 89]) {
    const message = Buffer.from(`Subject: ${days} days old\r\n\r\nHello`)
    await writeToOutbox(config, randomUUID(), { message })
    const [newest = ''] = await listOutbox(config)
    await utimes(join(outboxFolder(config), `${newest}.eml`), daysAgo(days), daysAgo(days))
  }
  const [young] = await listOutbox(config)
  await sweep(shop.services)
  expect(await readdir(outboxFolder(config))).toEqual([`${young}.eml`])
})
