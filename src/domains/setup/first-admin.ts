// The first admin account, and the link with which it is made. The link is valid for a day and only while there is no admin,
// so the account that it makes ends it. Nothing about it is stored.
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { dayMs } from '#contract/durations.ts'
import { isLoopback } from '#contract/network.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { queryOne } from '#platform/db/query.ts'
import { isSignedBy, knownSecrets, sign, type Secret } from '#platform/secret.ts'
import type { Actor } from '#platform/audit-log.ts'
import { lockAdmins } from '#domains/accounts/admin-rights.ts'
import { createUser } from '#domains/accounts/users.ts'
import { type SetupShop, setupProblem } from './shop.ts'
import type { SetupRequest } from '#contract/setup/setup.ts'

const validMs = dayMs
const purpose = 'setup link'

/** The token is in the fragment, which browsers do not send: it is in no log of a server or proxy. */
export function createSetupLink(
  services: SetupShop,
  siteUrl: string = services.settings.get().shop.site_url,
): string {
  return `${siteUrl}/setup#${createToken(services)}`
}

/**
 * A command may not see the port or the address that the shop was started with. Where it sees no address but this machine's,
 * the link has that of the last start.
 */
export function createSetupLinkOfLastStart(services: SetupShop): string {
  const { site_url, confirmed_site_url } = services.settings.get().shop
  return createSetupLink(services, isLoopback(site_url) ? (confirmed_site_url ?? site_url) : site_url)
}

function createToken(services: SetupShop): string {
  const expires = String(services.clock().getTime() + validMs)
  return `${expires}.${sign(services.secret.key(purpose), expires)}`
}

/** A restore that has begun may end after the day of its link. */
const begunMs = validMs

type Validity = { secrets: readonly Secret[]; extraMs: number }

function isValid({ clock }: SetupShop, token: string, { secrets, extraMs }: Validity): boolean {
  const [expires = '', signature = '', ...rest] = token.split('.')
  const isSigned = secrets.some((secret) => isSignedBy(secret.key(purpose), expires, signature))
  return rest.length === 0 && isSigned && Number(expires) + extraMs > clock().getTime()
}

/** The secret that has signed a link may be replaced by a restore: such a link may only see that the restore has ended. */
export function isLinkOfMachine(services: SetupShop, token: string): boolean {
  const secrets = [services.secret, ...knownSecrets(services.config)]
  return isValid(services, token, { secrets, extraMs: begunMs })
}

export async function requireSetupLink(
  services: SetupShop,
  token: string,
  { hasBegun = false } = {},
): Promise<void> {
  const extraMs = hasBegun ? begunMs : 0
  if (!isValid(services, token, { secrets: [services.secret], extraMs }))
    throw setupProblem('setup.link_invalid')
  if (await hasAdmin(services.db)) throw setupProblem('setup.finished')
}

export async function setUp(
  services: SetupShop,
  { token, ...account }: SetupRequest,
  ip: string | null,
): Promise<void> {
  await requireSetupLink(services, token)
  const actor: Actor = { id: null, email: 'setup link', ip }
  await createUser(
    services,
    actor,
    { ...account, role: 'admin', isOwnPassword: true },
    {
      async before(tx) {
        await lockAdmins(tx)
        if (await hasAdmin(tx)) throw setupProblem('setup.finished')
      },
    },
  )
}

export async function hasAdmin(db: Db | Transaction): Promise<boolean> {
  const query = sql`select exists (select from user_roles where role = 'admin') as has_admin`
  const { has_admin } = await queryOne(db, z.object({ has_admin: z.boolean() }), query)
  return has_admin
}
