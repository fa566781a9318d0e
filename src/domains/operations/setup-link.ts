// The link with which the first admin account is made. It is valid for a day and only while there is no admin, so the
// account that it makes ends it. Nothing about it is stored.
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Services } from '#platform/services.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { queryOne } from '#platform/db/query.ts'
import { isValidFor } from '#platform/key-rotation.ts'
import { findSigningSecret, sign, signingKey } from '#platform/secret.ts'
import type { Actor } from '#platform/audit-log.ts'
import type { WithAuth } from '#domains/accounts/auth.ts'
import { lockAdmins } from '#domains/accounts/admin-rights.ts'
import { createUser } from '#domains/accounts/users.ts'
import { operationProblem } from './problem.ts'
import type { SetupRequest } from '#contract/operations/setup.ts'

const validMs = 24 * 3_600_000
const purpose = 'setup link'

type Signing = Pick<Services, 'secrets' | 'clock'>

/** The token is in the fragment, which browsers do not send: it is in no log of a server or proxy. */
export async function createSetupLink({
  settings,
  ...signing
}: Signing & Pick<Services, 'settings'>): Promise<string> {
  return `${settings.get().shop.site_url}/setup#${await createToken(signing)}`
}

async function createToken(signing: Signing): Promise<string> {
  const expires = String(signing.clock().getTime() + validMs)
  return `${expires}.${sign(await signingKey(signing, purpose), expires)}`
}

async function isValid(signing: Signing, token: string): Promise<boolean> {
  const [expires = '', signature = '', ...rest] = token.split('.')
  if (rest.length > 0) return false
  const secret = await findSigningSecret(signing, purpose, { payload: expires, signature })
  const now = signing.clock()
  return (
    secret !== undefined &&
    isValidFor(secret, Number(expires) - validMs, now) &&
    Number(expires) > now.getTime()
  )
}

export async function requireSetupLink(
  services: Signing & Pick<Services, 'db'>,
  token: string,
): Promise<void> {
  if (!(await isValid(services, token))) throw operationProblem('setup.link_invalid')
  if (await hasAdmin(services.db)) throw operationProblem('setup.finished')
}

export async function setUp(
  services: Signing & Pick<Services, 'db'> & WithAuth,
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
        if (await hasAdmin(tx)) throw operationProblem('setup.finished')
      },
    },
  )
}

export async function hasAdmin(db: Db | Transaction): Promise<boolean> {
  const query = sql`select exists (select from user_roles where role = 'admin') as has_admin`
  const { has_admin } = await queryOne(db, z.object({ has_admin: z.boolean() }), query)
  return has_admin
}
