// A shop of the version before gets the sums of what it has sold.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openDatabase } from '#platform/db/client.ts'
import { migrateDatabase, migrateTo } from '#platform/db/migrate.ts'
import { ownFile } from '#platform/own-file.ts'
import { createTestDatabase } from '#test/database.ts'
import { readSums } from '#test/sales-sums.ts'

const journalFile = z.object({ entries: z.array(z.object({ tag: z.string(), when: z.number() })) })

const sold = `
  insert into auth.users (id, email) values ('00000000-0000-7000-8000-000000000001', 'ruth@example.com');
  insert into profiles (user_id, email) values ('00000000-0000-7000-8000-000000000001', 'ruth@example.com');
  insert into products (id, name, description, format, price, is_digital)
    values ('00000000-0000-7000-8000-000000000002', 'A book', '', 'paperback', 10, false);
  insert into discount_codes (id, code, percent) values ('00000000-0000-7000-8000-000000000003', 'SPRING', 10);
  insert into purchases (id, user_id, product_id, amount, status)
    select gen_random_uuid(), '00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002', amount, status
    from (values (10, 'completed'), (9, 'completed'), (0, 'completed'), (10, 'canceled')) made (amount, status);
  update shipments set name = 'Ruth', line1 = '1', city = 'Berlin', country = 'DE';
  insert into discount_uses (purchase_id, code_id, discount)
    select id, '00000000-0000-7000-8000-000000000003', 1 from purchases where amount = 9;
  insert into adjustments (id, purchase_id, kind, amount) select gen_random_uuid(), id, 'refund', -2 from purchases where amount = 9`

test('what was sold before has its country, its code and its place in the sums', async () => {
  await using empty = await createTestDatabase({ empty: true })
  await using database = openDatabase(empty.url)
  const file = ownFile('#platform/db/migrations/meta/_journal.json')
  const { entries } = journalFile.parse(JSON.parse(readFileSync(file, 'utf8')))
  const before = entries[entries.findIndex(({ tag }) => tag.endsWith('_reports')) - 1]
  const client = await database.pool.connect()
  await migrateTo(client, before?.when ?? 0)
  client.release()
  await database.pool.query(sold)
  await migrateDatabase(database)
  const { kept, counted, keptApart, countedApart } = await readSums(database)
  expect(kept).toEqual(counted)
  expect(keptApart).toEqual(countedApart)
  expect(kept).toMatchObject([{ sold: 2, free: 1, begun: 3, paid: 2, gross: 19, refunded: 2 }])
  expect(keptApart.countries).toMatchObject([{ country: 'DE', sold: 2, free: 1, revenue: 17 }])
  expect(keptApart.codes).toMatchObject([{ sold: 1, free: 0, revenue: 7 }])
})
