// The admins: who they are, and one more.
import { sql } from 'drizzle-orm'
import { isoTime, queryAll } from '#platform/db/query.ts'
import type { Db } from '#platform/db/client.ts'
import type { Services } from '../../services.ts'
import type { WithAuth } from '../accounts/auth.ts'
import type { RequireProof } from '../accounts/recent-proof.ts'
import { recordAuditEvent, type Actor } from '../audit/audit-log.ts'
import { adminAccount, type AdminAccount, type AdminAdded } from './contract/admins.ts'

export function listAdmins(db: Db): Promise<AdminAccount[]> {
  const query = sql`
    select p.user_id, p.email, p.display_name, a.last_sign_in_at,
      coalesce(a.banned_until > now(), false) as is_disabled,
      exists (select from auth.mfa_factors f where f.user_id = p.user_id and status = 'verified') as has_second_factor
    from user_roles r join profiles p using (user_id) join auth.users a on a.id = p.user_id
    where r.role = 'admin' order by lower(p.email)`
  return queryAll(db, adminAccount.extend({ last_sign_in_at: isoTime.nullable() }), query)
}

/** The account with this address becomes admin; where there is none, its owner is invited. */
export function addAdmin(
  { db, auth }: Pick<Services, 'db'> & WithAuth,
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
