import { killWhileMailing } from '../kill-while-mailing.ts'
import type { Scenario } from '../scenario.ts'

export const scenario: Scenario = {
  fault: 'killed while those who ordered before a release are told',
  rounds: 4,
  buyers: 300,
  run: (options) =>
    killWhileMailing(options, {
      async prepare(pool, product_id) {
        await pool.query('update products set release_on = shop_day() + 9 where id = $1', [product_id])
        return product_id
      },
      start: ({ url }, product_id, headers) =>
        fetch(`${url}/api/admin/products/${product_id}`, {
          method: 'PATCH',
          headers,
          body: JSON.stringify({ release_on: null }),
        }),
      unfinished: 'select count(*)::int as count from scheduled_emails where outcome is null',
    }),
}
