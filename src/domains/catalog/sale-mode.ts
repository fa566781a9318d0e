// The mode in which the shop sells: by payments, as the sample, for free, or not at all. A shop that ever had a key of the
// payment provider sells nothing without one, so that a lost variable gives no book away.
import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { type Product, withoutKey, type SaleMode } from '#contract/catalog/products.ts'
import { type Cents, isPayable, withoutDecimals } from '#contract/money.ts'
import type { Services } from '#platform/services.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { sampleBook } from '#content/sample-book.ts'
import type { SettingValues } from '../../config.ts'
import { queryOne } from '#platform/db/query.ts'
import type { Settings } from '#platform/settings.ts'
import { addFields } from '#platform/stored-settings.ts'
import { paymentMode } from '#platform/stripe/payments.ts'
import { lawfulCountries } from '#contract/orders/lawful-countries.ts'
import { platformProblem } from '#platform/problem.ts'

/** The setup was finished, or a book with its own title is published. */
export const isOwnBook = sql<boolean>`(exists (select from book_setup where step = 'done') or coalesce((
  select document ->> 'title' <> ${sampleBook.title} from book_versions order by number desc limit 1), false))`

/** The author has brought a book to the setup, and visitors still see the sample: the opening publishes it with its products. */
export const waitsForOpening = sql<boolean>`(exists (select from book_setup where file is not null) and not ${isOwnBook})`

export type KeylessFacts = Pick<SettingValues['payments'], 'had_key' | 'without_key'> & { is_own: boolean }

export function keylessMode({ had_key, without_key, is_own }: KeylessFacts): SaleMode {
  if (had_key) return 'key_missing'
  return is_own ? without_key : 'sample'
}

export type OwnBook = { book: { get(): { is_own: boolean } | Promise<{ is_own: boolean }> } }
type SaleDependencies = Pick<Services, 'settings'> & OwnBook

export function saleModeOf({ settings }: { settings: Pick<Settings, 'get'> }, is_own: boolean): SaleMode {
  if (paymentMode(settings) !== 'none') return 'paid'
  return keylessMode({ ...settings.get().payments, is_own })
}

export async function currentSaleMode({ book, settings }: SaleDependencies): Promise<SaleMode> {
  return saleModeOf({ settings }, (await book.get()).is_own)
}

/** Reads memory, which may lack what another process has just saved. */
export async function cachedKeylessFacts({ book, settings }: SaleDependencies): Promise<KeylessFacts> {
  const { had_key, without_key } = settings.get().payments
  return { had_key, without_key, is_own: (await book.get()).is_own }
}

const savedField = (name: string) =>
  sql`(select fields ->> ${name}::text from settings where name = 'payments')`
const hadKey = sql`coalesce(${savedField('had_key')} = 'true', false)`
const savedWithoutKey = sql`coalesce(${savedField('without_key')}, 'not_for_sale')`

export function isModeCurrent({ had_key, without_key, is_own }: KeylessFacts): SQL {
  return sql`(${hadKey} = ${had_key} and ${savedWithoutKey} = ${without_key} and ${isOwnBook} = ${is_own})`
}

const keylessFacts = z.object({
  had_key: z.boolean(),
  without_key: withoutKey.catch('not_for_sale'),
  is_own: z.boolean(),
})

export function readKeylessFacts(tx: Db | Transaction): Promise<KeylessFacts> {
  const query = sql`select ${hadKey} as had_key, ${savedWithoutKey} as without_key, ${isOwnBook} as is_own`
  return queryOne(tx, keylessFacts, query)
}

/** Runs at the start, before anything is sold: the key may be in the environment alone, or have been lost. */
export async function saveHadKey({ db, settings }: Services): Promise<void> {
  if (settings.get().payments.had_key) return
  const hadKey = paymentMode(settings) !== 'none' || (await hasCheckouts(db))
  if (!hadKey) return
  await addFields(db, 'payments', { had_key: true })
  await settings.refresh()
}

async function hasCheckouts(db: Db): Promise<boolean> {
  const query = sql`select exists (select from checkouts) as has_checkouts`
  return (await queryOne(db, z.object({ has_checkouts: z.boolean() }), query)).has_checkouts
}

/** True where the law can give buyers of this shop a right of withdrawal. A file may be bought from anywhere. */
export function offersWithdrawal(
  { settings }: { settings: Pick<Settings, 'get'> },
  mode: SaleMode,
  products: readonly Product[] | undefined,
): boolean {
  if (mode !== 'paid' && mode !== 'key_missing') return false
  const { countries } = settings.get().shipping
  // The products that were sold are not known here where none is for sale any more.
  const sellsFiles = !products?.length || products.some(({ is_digital }) => is_digital)
  return sellsFiles || countries.some((country) => lawfulCountries.includes(country))
}

export function requirePayable(field: string, amount: Cents, currency: string): void {
  if (isPayable(amount, currency)) return
  throw platformProblem('request.invalid', { fields: { [field]: withoutDecimals(currency) } })
}
