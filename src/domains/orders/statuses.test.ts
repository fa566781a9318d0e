import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openTestShop } from '#test/shop.ts'
import { isCompleted, purchaseStatuses } from '#contract/orders/purchases.ts'

test('the database and the code agree on which statuses are completed', async () => {
  await using shop = await openTestShop()
  for (const status of purchaseStatuses) {
    const { rows } = await shop.services.db.execute(sql`select is_completed(${status}) as completed`)
    expect({ status, ...rows[0] }).toEqual({ status, completed: isCompleted(status) })
  }
})
