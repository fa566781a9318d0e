// The identity of the shop: its id and its addresses. At another address than the last, it is a copy that takes no payments.
import type { Transaction } from '#platform/db/client.ts'
import type { SettingsShop } from './shop.ts'
import { settingValues } from '#contract/settings/settings.ts'
import { isDeepStrictEqual } from 'node:util'
import { sql, asc, eq } from 'drizzle-orm'
import { settings as settingRows } from '#tables/platform.ts'
import { createHash, randomUUID } from 'node:crypto'
import { unconfirmedCopyOf } from '#platform/stripe/payments.ts'
import { users } from '#tables/accounts.ts'
import { checkouts } from '#tables/payments.ts'
import { addFields } from '#platform/stored-settings.ts'

const identity = settingValues.shape.shop.pick({ id: true, former_site_urls: true }).partial()

/**
 * Makes the id once, and adds the present address to the shop's. At another address than the last, the shop is a copy that
 * takes no payments; not where it had none, or where the last address was one of its own machine.
 */
export async function recordIdentity({ db, settings, payments, log }: SettingsShop): Promise<void> {
  const { site_url } = settings.get().shop
  const copied = unconfirmedCopyOf(settings)
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('lectern settings'))`)
    const isShop = eq(settingRows.name, 'shop')
    const [row] = await tx.select({ fields: settingRows.fields }).from(settingRows).where(isShop)
    const stored = row?.fields ?? {}
    const { id, former_site_urls = [] } = identity.parse(stored)
    const isCopy = copied && (payments.mode() !== 'none' || (await tx.$count(checkouts)) > 0)
    const fields = {
      ...stored,
      id: id ?? (await makeId(tx, site_url)),
      former_site_urls: [...new Set([...former_site_urls, site_url])],
      confirmed_site_url: isCopy ? copied : site_url,
    }
    if (isDeepStrictEqual(fields, stored)) return
    await addFields(tx, 'shop', fields)
  })
  await settings.refresh()
  if (unconfirmedCopyOf(settings) && payments.mode() !== 'none')
    log.error({ site_url, copied }, 'this copy of the shop takes no payments until an admin has confirmed it')
}

/**
 * Of its first account and its address, where a version without ids was in use: a backup from then, restored at the same
 * address, has the same id as the shop had since.
 */
async function makeId(tx: Transaction, site_url: string): Promise<string> {
  const [first] = await tx
    .select({ id: users.id })
    .from(users)
    .orderBy(asc(users.created_at), asc(users.id))
    .limit(1)
  if (!first) return randomUUID()
  const hash = createHash('sha256').update(`${first.id} ${site_url}`).digest('hex')
  // A UUID of version 8, whose bits are the maker's own.
  return hash.replace(/^(.{8})(.{4})(.{3})(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')
}
