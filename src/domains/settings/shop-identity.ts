// The identity of the shop: its id and its addresses. At another address than the last, it is a copy that takes no payments.
import type { SettingsShop } from './shop.ts'
import { settingValues } from '#contract/settings/settings.ts'
import { isDeepStrictEqual } from 'node:util'
import { sql, eq } from 'drizzle-orm'
import { settings as settingRows } from '#tables/platform.ts'
import { randomUUID } from 'node:crypto'
import { unconfirmedCopyOf } from '#platform/stripe/payments.ts'
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
    // A copy would also tell the receiver of the webhook what happens in it.
    const { host, switched_off } = settings.get().webhook
    const hasWebhook = host !== '' && switched_off === null
    const isCopy = copied && (hasWebhook || payments.mode() !== 'none' || (await tx.$count(checkouts)) > 0)
    const fields = {
      ...stored,
      id: id ?? randomUUID(),
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
