// The first steps of a new shop, and which of them are done.
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { queryOne, queryAll } from '#platform/db/query.ts'
import type { SetupShop } from './shop.ts'
import { firstSteps, type FirstSteps } from '#contract/setup/setup.ts'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Readable } from 'node:stream'
import { fileFormat } from '#contract/catalog/products.ts'
import { currentSaleMode, waitsForOpening } from '#domains/catalog/sale-mode.ts'
import { sampleFiles } from '#domains/catalog/seed.ts'
import { noMailServer } from '#domains/mail/mail-check.ts'
import { storedPaymentsVerdict } from '#domains/payments/payment-verdicts.ts'

export async function readFirstSteps(services: SetupShop): Promise<FirstSteps> {
  const { db, mail, payments, settings } = services
  const [facts, isSample] = await Promise.all([readFacts(db), sellsSample(services)])
  const mode = payments.mode()
  const sale_mode = await currentSaleMode(services)
  return {
    steps: [
      { name: 'admin', is_done: facts.has_admin },
      { name: 'words', is_done: facts.has_words },
      { name: 'book', is_done: facts.has_book && !isSample },
      { name: 'mail', is_done: mail.sendsMail() },
      { name: 'payments', is_done: mode === 'live' },
      { name: 'purchase', is_done: facts.has_purchase },
    ],
    setup_step: facts.setup_step,
    payments: mode,
    sale_mode,
    checks: {
      mail: mail.sendsMail() ? undefined : noMailServer,
      payments: mode === 'live' ? undefined : storedPaymentsVerdict(settings, sale_mode),
    },
  }
}

async function readFacts(db: SetupShop['db']) {
  const facts = z.object({
    has_admin: z.boolean(),
    has_words: z.boolean(),
    has_book: z.boolean(),
    has_purchase: z.boolean(),
    setup_step: firstSteps.shape.setup_step,
  })
  return queryOne(
    db,
    facts,
    sql`
    select exists (select from user_roles where role = 'admin') as has_admin,
      exists (select from book_versions) as has_words,
      -- Its file is there, or it is sold on paper alone.
      (select coalesce(not bool_or(is_digital) or bool_or(is_digital and delivery_gap(products) is null), false)
        from products where archived_at is null) as has_book,
      exists (select from purchases where is_completed(status) and not is_given) as has_purchase,
      (select step from book_setup where ${waitsForOpening}) as setup_step`,
  )
}

/** The content decides: the sample under another name is the sample, and a file of the same name may be another book. */
async function sellsSample({ db, storage }: SetupShop): Promise<boolean> {
  const query = sql`
    select distinct on (f.product_id, f.file_format) f.file_path, f.file_format
    from product_files f join products p on p.id = f.product_id
    where p.archived_at is null
    order by product_id, file_format, f.created_at desc, f.id desc limit 50`
  const files = await queryAll(db, z.object({ file_path: z.string(), file_format: fileFormat }), query)
  for (const { file_path, file_format } of files) {
    for (const sample of sampleFiles.filter((each) => each.file_format === file_format)) {
      const [stored, own] = await Promise.all([storage.stat(file_path), stat(sample.source)])
      if (stored?.size !== own.size) continue
      const [a, b] = await Promise.all([
        storage.read(file_path).then(digest),
        digest(createReadStream(sample.source)),
      ])
      if (a === b) return true
    }
  }
  return false
}

async function digest(content: Readable): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(content, hash)
  return hash.digest('hex')
}
