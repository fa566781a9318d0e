import { randomUUID } from 'node:crypto'
import { killWhileMailing } from '../kill-while-mailing.ts'
import type { Scenario } from '../scenario.ts'

export const scenario: Scenario = {
  fault: 'killed while the owners of an edition are told',
  rounds: 4,
  buyers: 300,
  run: (options) =>
    killWhileMailing(options, {
      async prepare(pool, product_id) {
        const file_id = randomUUID()
        await pool.query(
          `insert into product_files (id, product_id, file_path, title, file_format, edition)
           select $1, id, 'ebooks/second.epub', name, 'epub', 2 from products where id = $2`,
          [file_id, product_id],
        )
        return file_id
      },
      start: ({ url }, file_id, headers) =>
        fetch(`${url}/api/admin/editions/${file_id}/announcement`, {
          method: 'PUT',
          headers,
          body: JSON.stringify({ changes: '' }),
        }),
      unfinished: 'select count(*)::int as count from scheduled_emails where outcome is null',
    }),
}
