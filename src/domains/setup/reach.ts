// Visitors reach the shop if its address allows it, the shop answers there, and a first visit came from outside.
import { networkInterfaces } from 'node:os'
import { sql } from 'drizzle-orm'
import { renderSVG } from 'uqr'
import { z } from 'zod'
import type { SiteAddress } from '#contract/setup/setup.ts'
import type { Db } from '#platform/db/client.ts'
import { queryAll } from '#platform/db/query.ts'
import { rememberLast } from '#platform/cached.ts'
import { networkOf } from '#platform/http/client-ip.ts'
import { checkAddress } from '#domains/overview/address-check.ts'
import { scopeOf, isPublicAddress } from '#platform/public-connection.ts'
import { addFields } from '#platform/stored-settings.ts'
import type { SetupShop } from './shop.ts'

/** Asks the shop's own address, which may take seconds. */
export async function readAddress({ settings, secret, clock }: SetupShop): Promise<SiteAddress> {
  const { shop } = settings.get()
  const address = await checkAddress(shop, [secret], clock())
  const isPublic = address.reach === 'answers' || address.reach === 'reached'
  return {
    url: shop.site_url,
    ...address,
    qr_code: isPublic ? renderSVG(shop.site_url, { border: 2 }) : null,
  }
}

type FirstVisit = {
  /** The host that a visit has to be for; undefined where none is looked for any more, or not yet. */
  host: () => string | undefined
  /** Takes the address of a visitor to the home page. */
  note: (ip: string) => void
}

/**
 * Until the home page was opened at the public address of the shop from another network, one that no admin has used,
 * this looks; then it writes the time, once. It stores nothing of the visitor.
 */
export function watchFirstVisit(services: SetupShop): FirstVisit {
  const { settings, log } = services
  const ofAdmins = new Set<string>()
  const hostOf = rememberLast(publicHost)
  let isLooking = false

  async function look(network: string): Promise<void> {
    const { site_url } = settings.get().shop
    const known = await networksOfAdmins(services.db)
    if (known.has(network)) ofAdmins.add(network)
    // The visitor may be the author while no network of an admin is known.
    else if (known.size > 0) await saveVisit(services, site_url)
  }
  return {
    host() {
      const { site_url, reached } = settings.get().shop
      return reached?.site_url === site_url || isLooking ? undefined : hostOf(site_url)
    },
    note(ip) {
      const network = networkOf(ip)
      if (!isPublicAddress(ip) || ofAdmins.has(network) || isOwnNetwork(network)) return
      isLooking = true
      look(network)
        .catch((error: unknown) => log.warn({ err: error }, 'the first visit could not be noted'))
        .finally(() => (isLooking = false))
    },
  }
}

/** Undefined where nobody else can open the address, or not over https. */
function publicHost(site_url: string): string | undefined {
  const { protocol, host } = new URL(site_url)
  return protocol === 'https:' && scopeOf(site_url) === 'internet' ? host : undefined
}

/** Machines beside this one have public addresses, too, in IPv6. */
function isOwnNetwork(network: string): boolean {
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return own.some(({ address }) => networkOf(address) === network)
}

async function networksOfAdmins(db: Db): Promise<Set<string>> {
  const known = await queryAll(
    db,
    z.object({ ip: z.string() }),
    sql`
    select ip from auth.sessions join user_roles using (user_id) where role = 'admin' and ip is not null
    union select ip from audit_log where ip is not null`,
  )
  return new Set(known.map(({ ip }) => networkOf(ip)))
}

/** The lock is that of changes of settings, which replace the row. */
async function saveVisit({ db, settings, clock }: SetupShop, site_url: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('lectern settings'))`)
    await addFields(tx, 'shop', { reached: { site_url, at: clock().toISOString() } })
  })
  await settings.refresh()
}
