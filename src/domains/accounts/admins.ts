// The admins of the shop, and the address of the author among them.
import { sql } from 'drizzle-orm'
import type { Db } from '#platform/db/client.ts'
import { isoTime, queryAll, queryFirst } from '#platform/db/query.ts'
import { body, createApi, ok, route, actorOf } from '#platform/http/route.ts'
import type { RequireProof } from './recent-proof.ts'
import { recordAuditEvent, type Actor } from '#platform/audit-log.ts'
import {
  adminAccount,
  adminAdded,
  adminList,
  adminRequest,
  type AdminAccount,
  type AdminAdded,
} from '#contract/accounts/users.ts'
import type { AccountsShop } from './shop.ts'
import { z } from 'zod'
import { senderOf } from '#platform/mail.ts'
import type { MailShop } from '#domains/mail/shop.ts'

function listAdmins(db: Db): Promise<AdminAccount[]> {
  const query = sql`
    select p.user_id, p.email, p.display_name, a.last_sign_in_at,
      coalesce(a.banned_until > now(), false) as is_disabled,
      exists (select from auth.mfa_factors f where f.user_id = p.user_id and status = 'verified') as has_second_factor
    from user_roles r join profiles p using (user_id) join auth.users a on a.id = p.user_id
    where r.role = 'admin' order by lower(p.email)`
  return queryAll(db, adminAccount.extend({ last_sign_in_at: isoTime.nullable() }), query)
}

function addAdmin(
  { db, auth }: AccountsShop,
  actor: Actor,
  email: string,
  requireProof: RequireProof,
): Promise<AdminAdded['outcome']> {
  return db.transaction(async (tx) => {
    await requireProof(tx)
    const { user_id, outcome } = await auth.admin.inviteAdmin(tx, email)
    if (outcome === 'unchanged') return outcome
    const action = outcome === 'invited' ? 'users.invited' : 'users.role_granted'
    await recordAuditEvent(tx, actor, {
      action,
      subject: email,
      subject_id: user_id,
      detail: { role: 'admin' },
    })
    return outcome
  })
}

export type AdminsApi = ReturnType<typeof adminsApi>

export function adminsApi(services: AccountsShop) {
  return createApi()
    .openapi(route('get', '/admins', { returns: ok(adminList, 'All admins') }), async (c) =>
      c.json({ items: await listAdmins(services.db) }, 200),
    )
    .openapi(
      route('post', '/admins', { ...body(adminRequest), returns: ok(adminAdded, 'The account is admin') }),
      async (c) => {
        const { email, current_password } = c.req.valid('json')
        const requireProof = await services.auth.prepareProof(c, current_password)
        return c.json({ outcome: await addAdmin(services, actorOf(c, services), email, requireProof) }, 200)
      },
    )
}

/** Reads the address from the settings or the book, else from the first admin. The sender's is the last: it may have no mailbox. */
export async function findAuthorEmail(
  { config, settings, db }: Pick<MailShop, 'config' | 'settings' | 'db'>,
  ofBook: string | null,
): Promise<string> {
  const chosen = config.adminEmail ?? ofBook
  if (chosen) return chosen
  const query = sql`
    select email from profiles join user_roles using (user_id) where role = 'admin' order by created_at limit 1`
  const admin = await queryFirst(db, z.object({ email: z.string() }), query)
  return admin?.email ?? senderOf(settings).address
}
