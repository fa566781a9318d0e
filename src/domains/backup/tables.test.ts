// The tables of a backup as they are read: in an order that can be loaded, and with an end where the database is silent.
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { WritableClient, openDatabase } from '#platform/db/client.ts'
import { createTestDatabase } from '#test/database.ts'
import { openDatabaseProxy } from '#test/database-proxy.ts'
import { giveProduct } from '#test/factories.ts'
import { pictures } from '#tables/files.ts'
import { describeFile, listShopFiles, readRows } from './backup-tables.ts'

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

test('a picture is named by the product that shows it as its cover, or else as one of the page', async () => {
  await using created = await createTestDatabase()
  await using database = openDatabase(created.url, { max: 1 })
  const [cover_id, other] = [crypto.randomUUID(), crypto.randomUUID()]
  const size = { width: 9, height: 9, renditions: ['9.webp'] }
  await database.db.insert(pictures).values([
    { id: cover_id, ...size },
    { id: other, ...size },
  ])
  await giveProduct(database.db, { name: 'A Study Guide', cover_id })
  const files = await listShopFiles(database.pool)
  const name = (id: string) => describeFile(files, `pictures/${id}/9.webp`)
  expect(name(cover_id)).toBe(`the cover of the product “A Study Guide” (pictures/${cover_id}/9.webp)`)
  expect(name(other)).toBe(`a picture of the book’s page (pictures/${other}/9.webp)`)
})
