// Rows changed where no function of the shop leads: time that has passed, what was lost, what Stripe left.
import { and, eq, inArray, type SQL } from 'drizzle-orm'
import { profiles, user_roles } from '#tables/accounts.ts'
import { checkouts } from '#tables/payments.ts'
import { product_files, products } from '#tables/catalog.ts'
import { purchases } from '#tables/orders.ts'
import type { Database, Db } from '#platform/db/client.ts'

type Changes<Row> = { [Key in keyof Row]?: Row[Key] | SQL }

/** PostgreSQL's clock dates these; the clock of a test does not reach them. */
type DatedColumn =
  | 'auth.audit_log.created_at'
  | 'auth.known_devices.last_seen_at'
  | 'auth.pending_sign_ups.created_at'
  | 'auth.sessions.proved_at'
  | 'checkouts.created_at'
  | 'mails.created_at'
  | 'mails.repeated_at'
  | 'mails.sent_at'
  | 'payment_faults.last_at'
  | 'purchase_gifts.send_at'
  | 'purchases.created_at'
  | 'shipments.shipped_at'
  | 'unsettled_files.created_at'

/** Dates rows so long ago, as PostgreSQL writes an interval: all, or those with this value in a column. */
export async function age(
  { pool }: Pick<Database, 'pool'>,
  column: DatedColumn,
  ago: string,
  only: Record<string, string> = {},
): Promise<void> {
  const [, table, name] = /^(.+)\.(\w+)$/.exec(column) ?? []
  const [[key, value] = []] = Object.entries(only)
  const where = key === undefined ? '' : ` where ${key} = $2`
  const values = value === undefined ? [ago] : [ago, value]
  await pool.query(`update ${table} set ${name} = now() - $1::interval${where}`, values)
}

/** All purchases, or one: as a webhook or a bank left them. */
export async function changePurchases(
  db: Db,
  change: Changes<typeof purchases.$inferInsert>,
  id?: string,
): Promise<void> {
  await db
    .update(purchases)
    .set(change)
    .where(id === undefined ? undefined : eq(purchases.id, id))
}

/** As in the database of an older backup. */
export async function losePurchases(db: Db): Promise<void> {
  await db.delete(purchases)
}

/** After their purchases, as in the database of an older backup; with the sums of all users. */
export async function loseUsers({ pool }: Pick<Database, 'pool'>, ids: readonly string[]): Promise<void> {
  await pool.query('delete from user_sums')
  await pool.query('delete from profiles where user_id = any ($1)', [ids])
  await pool.query('delete from auth.users where id = any ($1)', [ids])
}

/** All checkouts, or that of one purchase: as a lost response, time or another version left them. */
export async function changeCheckouts(
  db: Db,
  change: Changes<typeof checkouts.$inferInsert>,
  purchase_id?: string,
): Promise<void> {
  await db
    .update(checkouts)
    .set(change)
    .where(purchase_id === undefined ? undefined : eq(checkouts.purchase_id, purchase_id))
}

/** All products, or one: as a person with a database client left them. */
export async function changeProducts(
  db: Db,
  change: Changes<typeof products.$inferInsert>,
  id?: string,
): Promise<void> {
  await db
    .update(products)
    .set(change)
    .where(id === undefined ? undefined : eq(products.id, id))
}

/** The rows of all files, or of one product's. */
export async function loseFiles(db: Db, product_id?: string): Promise<void> {
  await db
    .delete(product_files)
    .where(product_id === undefined ? undefined : eq(product_files.product_id, product_id))
}

/** As they are after attempts that failed, on all jobs or those of one name. */
export async function changeJobs(
  { pool }: Pick<Database, 'pool'>,
  change: { state?: 'failed' | 'retry'; retry_count?: number; isDue?: true },
  name?: string,
): Promise<void> {
  await pool.query(
    `update pgboss.job set state = coalesce($1::pgboss.job_state, state), retry_count = coalesce($2, retry_count),
       start_after = case when $3 then now() else start_after end where $4::text is null or name = $4`,
    [change.state, change.retry_count, change.isDue ?? false, name],
  )
}

export async function loseJobs({ pool }: Pick<Database, 'pool'>): Promise<void> {
  await pool.query('delete from pgboss.job')
}

/** Also of the last admin, whose role the shop does not take. */
export async function loseAdmins(db: Db, users?: readonly string[]): Promise<void> {
  const isLost = and(eq(user_roles.role, 'admin'), users && inArray(user_roles.user_id, [...users]))
  const lost = await db.delete(user_roles).where(isLost).returning()
  const ids = lost.map(({ user_id }) => user_id)
  await db.update(profiles).set({ top_role: 'user' }).where(inArray(profiles.user_id, ids))
}
