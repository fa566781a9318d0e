import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { WritableClient } from '#platform/db/writable-client.ts'
import { createTestDatabase } from '#test/database.ts'
import { openDatabaseProxy } from '#test/database-proxy.ts'
import { readRows } from './tables.ts'

test('reading rows fails when none come any more, and waits between two tables', async () => {
  await using created = await createTestDatabase()
  await using proxied = await openDatabaseProxy(created.url)
  const client = new WritableClient({ connectionString: proxied.url })
  client.on('error', () => undefined)
  await client.connect()
  const table = { name: 'public.sums_settings', columns: ['time_zone'] }
  const rows = await buffer(readRows(client, table, 100))
  expect(rows.length).toBeGreaterThan(0)
  await sleep(300)
  expect(await buffer(readRows(client, table, 100))).toEqual(rows)
  proxied.proxy.link.isBlackHole = true
  await expect(buffer(readRows(client, table, 100))).rejects.toThrow('stopped sending its rows')
  await client.end()
})
