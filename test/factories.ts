// Rows that a test begins with, where the way through the API would be long or closed. What is not said is ordinary.
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Role } from '#contract/accounts/accounts.ts'
import { mfa_factors, profiles } from '#tables/accounts.ts'
import { downloads } from '#tables/delivery.ts'
import { checkouts, payment_events, refund_requests } from '#tables/payments.ts'
import { product_files, products } from '#tables/catalog.ts'
import { consents, purchases } from '#tables/orders.ts'
import { adjustments } from '#tables/payments.ts'
import { mails } from '#tables/mail.ts'
import { toCents } from '#contract/money.ts'
import { grantRole } from '#domains/accounts/accounts.ts'
import type { Db } from '#platform/db/client.ts'

type Purchase = typeof purchases.$inferInsert
type GivenPurchase = Pick<Purchase, 'user_id' | 'product_id'> & Partial<Purchase>
type Profile = typeof profiles.$inferInsert
type PaymentEvent = typeof payment_events.$inferInsert
type ProductFile = typeof product_files.$inferInsert
type GivenFile = Pick<ProductFile, 'product_id'> & Partial<ProductFile>

/** PostgreSQL takes 65,535 values in a statement. */
const batchRows = 1_000

/** Inserts `count` rows in batches; `make` gets the numbers from 1. */
async function insertMany<Row>(
  count: number,
  make: (n: number) => Row,
  insert: (rows: Row[]) => Promise<unknown>,
): Promise<Row[]> {
  const rows = Array.from({ length: count }, (_, at) => make(at + 1))
  for (let at = 0; at < count; at += batchRows) await insert(rows.slice(at, at + batchRows))
  return rows
}

/** Their ids, in the order of their numbers. */
export async function givePurchases(
  db: Db,
  count: number,
  make: (n: number) => GivenPurchase,
): Promise<string[]> {
  const given = await insertMany(
    count,
    (n) => ({ id: randomUUID(), amount: 100n, status: 'completed' as const, ...make(n) }),
    (rows) => db.insert(purchases).values(rows),
  )
  return given.map(({ id }) => id)
}

export async function changePurchase(db: Db, id: string, change: Partial<Purchase>): Promise<void> {
  await db.update(purchases).set(change).where(eq(purchases.id, id))
}

/** Users as the admin area lists them; without an account they cannot sign in. Their ids, in order. */
export async function giveProfiles(
  db: Db,
  count: number,
  make: (n: number) => Partial<Profile> = () => ({}),
): Promise<string[]> {
  const given = await insertMany(
    count,
    (n) => ({ user_id: randomUUID(), email: `p${n}@example.com`, ...make(n) }),
    (rows) => db.insert(profiles).values(rows),
  )
  return given.map(({ user_id }) => user_id)
}

export async function giveRole(db: Db, user_id: string, role: Role = 'admin'): Promise<void> {
  await db.transaction((tx) => grantRole(tx, user_id, role))
}

/** A verified second factor whose codes nobody knows. */
export async function giveFactor(db: Db, user_id: string): Promise<void> {
  const secret = Buffer.alloc(1)
  await db.insert(mfa_factors).values({ id: randomUUID(), user_id, status: 'verified', secret })
}

export async function giveProduct(
  db: Db,
  given: Partial<typeof products.$inferInsert> = {},
): Promise<string> {
  const product = { id: randomUUID(), name: 'A book', price: 100n, format: 'digital' as const, ...given }
  await db.insert(products).values(product)
  return product.id
}

/** The row of a first edition alone: what it leads to in storage is written by the test. */
export async function giveFile(db: Db, given: GivenFile): Promise<string> {
  const id = randomUUID()
  const book = { file_path: `ebooks/${id}.epub`, title: 'A book', file_format: 'epub' as const, edition: 1 }
  const file = { id, ...book, ...given }
  await db.insert(product_files).values(file)
  return file.file_path
}

/** Money that went back to the buyer. */
export async function giveRefund(
  db: Db,
  purchase_id: string,
  amount: number,
  created_at?: Date,
): Promise<void> {
  await db
    .insert(adjustments)
    .values({ id: randomUUID(), purchase_id, kind: 'refund', amount: -toCents(amount), created_at })
}

/** Money that the buyer has asked back and the provider has not returned yet. */
export async function giveRefundRequest(db: Db, purchase_id: string, amount: number): Promise<void> {
  await db
    .insert(refund_requests)
    .values({ id: randomUUID(), purchase_id, amount: toCents(amount), is_by_buyer: true })
}

export async function giveCheckout(
  db: Db,
  given: Partial<typeof checkouts.$inferInsert> & { purchase_id: string },
): Promise<void> {
  await db.insert(checkouts).values({ is_live: false, ...given })
}

export async function givePaymentEvents(
  db: Db,
  count: number,
  make: (n: number) => Partial<PaymentEvent> = () => ({}),
): Promise<void> {
  await insertMany(
    count,
    (n) => ({ id: `evt_${n}`, type: 'charge.refunded', ...make(n) }),
    (rows) => db.insert(payment_events).values(rows),
  )
}

export async function giveConsent(db: Db, purchase_id: string): Promise<void> {
  await db.insert(consents).values({ purchase_id, text: 'Yes' })
}

/** One that has begun. */
export async function giveDownload(db: Db, purchase_id: string): Promise<void> {
  await db.insert(downloads).values({ id: randomUUID(), purchase_id, file_path: 'x', started_at: new Date() })
}

/** The receipt, which confirms a consent: `sent` once a mail server is set. */
export async function giveReceiptMail(db: Db, purchase_id: string, status: 'sent' | 'unsent'): Promise<void> {
  const sent_at = status === 'sent' ? new Date() : null
  const mail = {
    id: randomUUID(),
    kind: 'receipt',
    recipient: 'reader@example.com',
    subject: 'Your receipt',
  } as const
  await db.insert(mails).values({ ...mail, purchase_id, status, sent_at })
}

/** With it the law's right in a file ends: the buyer has agreed to instant delivery, and the receipt confirms that. */
export async function giveAgreedDownload(db: Db, purchase_id: string): Promise<void> {
  await giveConsent(db, purchase_id)
  await giveReceiptMail(db, purchase_id, 'sent')
  await giveDownload(db, purchase_id)
}
