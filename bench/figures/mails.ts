// Emails to many readers at once: what they add to the memory of the process.
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { openDatabase } from '../../src/platform/db/client.ts'
import { addOwners } from '../../test/add-owners.ts'
import { openCountingSmtp } from '../../test/torture/counting-smtp.ts'
import type { Measure } from '../figure.ts'
import { signIn, startShop, watchMemory } from '../processes.ts'

export const mails: Measure = async function* ({ rounds }) {
  const readers = rounds === 1 ? 1_000 : 10_000
  await using smtp = await openCountingSmtp('owner-')
  await using shop = await startShop(undefined, { SMTP_URL: smtp.url })
  await using database = openDatabase(shop.databaseUrl, { max: 1 })
  const product_id = await addOwners(database.pool, readers)
  await database.pool.query('update products set release_on = shop_day() + 9 where id = $1', [product_id])
  const { call } = await signIn(shop)
  const memory = await watchMemory(shop, async () => {
    for (let nth = 0; nth < 1_000; nth += 1) await call(z.unknown(), 'GET', '/api/admin/purchases')
  })
  const since = performance.now()
  await call(z.unknown(), 'PATCH', `/api/admin/products/${product_id}`, { release_on: null })
  while (smtp.counts.size < readers) await sleep(200)
  const perSecond = readers / ((performance.now() - since) / 1000)
  yield {
    name: `Memory growth while ${readers.toLocaleString('en')} buyers are emailed of a release`,
    bar: { atMost: 60 },
    unit: 'MB',
    measured: memory(),
    note: `${perSecond.toFixed(1)} emails a second, ${smtp.extra()} came twice`,
  }
}
