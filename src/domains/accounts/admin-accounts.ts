// An admin's changes of accounts. Each runs in the caller's transaction.
import { z } from 'zod'
import { queryOne } from '#platform/db/query.ts'
import { and, eq, sql } from 'drizzle-orm'
import type { Role } from '#contract/accounts/accounts.ts'
import type { Transaction } from '#platform/db/client.ts'
import { mfa_factors, user_roles, users } from '#tables/accounts.ts'
import {
  accountProblem,
  audit,
  deleteUnconfirmed,
  forGood,
  grantRole,
  updateTopRole,
  hasRole,
  insertAccount,
  isAddress,
  isBanned,
  isVerified,
  lockUser,
  updateAccount,
} from './accounts.ts'
import { accountMailJob } from './account.emails.ts'
import { confirmForOwner } from './address-changes.ts'
import { isErased } from './erased-accounts.ts'
import { grantAdmin, lockAdmins, notifyAdmins } from './admin-rights.ts'
import type { RequireProof } from './recent-proof.ts'
import { dropLinks, makeLink } from './links.ts'
import { endSessions } from './sessions.ts'
import type { AccountsContext } from './accounts-context.ts'
import { deleteAllWrongCodes } from './wrong-codes.ts'

export function createAdminAccounts(context: Pick<AccountsContext, 'clock' | 'queue' | 'mail'>) {
  const { clock, queue } = context
  return {
    async setRole(tx: Transaction, user_id: string, role: Role, isGranted: boolean) {
      if (role === 'admin') await lockAdmins(tx)
      const user = await getLocked(tx, user_id)
      const event = isGranted ? 'role_granted' : 'role_revoked'
      await audit(tx, { user_id, event, detail: { role } }, clock())
      if (isGranted && role === 'admin') {
        const { isNew, hasPassword } = await grantAdmin(tx, context, user)
        const isInvited = isNew && !hasPassword
        if (isInvited) await queue.enqueue(tx, accountMailJob, invitationTo(user))
        if (isNew) await notifyAdmins(tx, context, { kind: 'admin_added', user_id })
        return { isInvited }
      }
      if (role === 'admin') await requireRemainingAdmin(tx, user_id, clock())
      const isChanged = await (isGranted ? grantRole : revokeRole)(tx, user_id, role)
      if (isChanged && role === 'admin') await notifyAdmins(tx, context, { kind: 'admin_removed', user_id })
      return { isInvited: false }
    },
    notifyAdded: (tx: Transaction, user_id: string) =>
      notifyAdmins(tx, context, { kind: 'admin_added', user_id }),
    async inviteAdmin(tx: Transaction, email: string): Promise<Invitation> {
      const now = clock()
      await deleteUnconfirmed(tx, isAddress(email))
      const user = { email, password_hash: null, user_metadata: {}, email_confirmed_at: now, now }
      const account = await insertAccount(tx, user, 'admin')
      if (account) await audit(tx, { user_id: account, event: 'account_made_by_hand', detail: admin }, now)
      const locked = await lockUser(tx, isAddress(email))
      if (!locked) throw accountProblem('accounts.email_taken')
      const { id: user_id } = locked
      const { isNew, hasPassword } = await grantAdmin(tx, context, locked)
      if (isNew) await audit(tx, { user_id, event: 'role_granted', detail: admin }, now)
      if (account || isNew) await notifyAdmins(tx, context, { kind: 'admin_added', user_id })
      if (hasPassword) return { user_id, outcome: isNew ? 'granted' : 'unchanged' }
      await queue.enqueue(tx, accountMailJob, invitationTo(locked))
      return { user_id, outcome: 'invited' }
    },
    /** Requires the proof for an admin's account only. */
    async setDisabled(
      tx: Transaction,
      user_id: string,
      isDisabled: boolean,
      requireProof: RequireProof,
    ): Promise<void> {
      await lockAdmins(tx)
      const isAdmin = await hasRole(tx, user_id, 'admin')
      if (isAdmin) await requireProof(tx)
      await getLocked(tx, user_id)
      await audit(tx, { user_id, event: isDisabled ? 'account_disabled' : 'account_enabled' }, clock())
      if (isDisabled) {
        await requireRemainingAdmin(tx, user_id, clock())
        await endSessions(tx, { user_id }, 'account disabled', clock())
      }
      await updateAccount(tx, user_id, { banned_until: isDisabled ? forGood : null }, clock())
      if (!isAdmin) return
      await notifyAdmins(tx, context, { kind: isDisabled ? 'admin_disabled' : 'admin_enabled', user_id })
    },
    /** Requires the proof as setDisabled does: ending an admin's sessions again and again keeps the admin out. */
    async endSessions(tx: Transaction, user_id: string, requireProof: RequireProof): Promise<void> {
      await lockAdmins(tx)
      if (await hasRole(tx, user_id, 'admin')) await requireProof(tx)
      await getLocked(tx, user_id)
      await audit(tx, { user_id, event: 'sessions_ended_by_admin' }, clock())
      await endSessions(tx, { user_id }, 'ended by an admin', clock())
    },
    async resetFactors(tx: Transaction, user_id: string): Promise<void> {
      const { email } = await getLocked(tx, user_id)
      const removed = await tx
        .delete(mfa_factors)
        .where(eq(mfa_factors.user_id, user_id))
        .returning({ status: mfa_factors.status, factor_type: mfa_factors.factor_type })
      const factors = removed.filter(({ factor_type }) => factor_type !== 'recovery_code')
      if (!factors.some(isVerified)) throw accountProblem('users.no_factor')
      await deleteAllWrongCodes(tx, user_id)
      await endSessions(tx, { user_id }, 'second factor reset', clock())
      await audit(tx, { user_id, event: 'factors_reset', detail: { count: factors.length } }, clock())
      await queue.enqueue(tx, accountMailJob, { kind: 'factors_reset', email })
    },
    /** A link to a new password, for the one who brings it to the owner. The second factor stays and is asked for. */
    async makePasswordLink(tx: Transaction, user_id: string): Promise<{ token: string; isAdmin: boolean }> {
      const now = clock()
      const user = await getLocked(tx, user_id)
      if (isBanned(user, now)) throw accountProblem('auth.user_banned')
      await dropLinks(tx, user_id, ['recovery'])
      const { token } = await makeLink(tx, { user_id, type: 'recovery', email: user.email }, { now })
      await endSessions(tx, { user_id }, 'password link made', now)
      await audit(tx, { user_id, event: 'password_link_made' }, now)
      return { token, isAdmin: await hasRole(tx, user_id, 'admin') }
    },
    /** Leaves the rest to the owner: nobody else sees the data or has the account erased. An admin needs no mail for it. */
    async offer(tx: Transaction, user_id: string, kind: 'data_offered' | 'erasure_offered'): Promise<void> {
      const { email } = await getLocked(tx, user_id)
      if (await hasRole(tx, user_id, 'admin')) throw accountProblem('users.offer_to_admin')
      await queue.enqueue(tx, accountMailJob, { kind, email })
    },
    /** Helps an owner who has lost the old mailbox; the new one still confirms. An admin's account is refused. */
    async confirmAddressChange(tx: Transaction, user_id: string, new_email: string): Promise<void> {
      await lockAdmins(tx)
      const user = await getLocked(tx, user_id)
      if (await hasRole(tx, user_id, 'admin')) throw accountProblem('users.address_of_admin')
      await confirmForOwner(tx, context, { user, new_email }, clock())
    },
    async resendVerification(tx: Transaction, user_id: string): Promise<void> {
      const { email, email_confirmed_at } = await getLocked(tx, user_id)
      if (email_confirmed_at) throw accountProblem('users.already_verified')
      await queue.enqueue(tx, accountMailJob, { kind: 'verify_again', email, path: undefined })
    },
  }
}

const admin = { role: 'admin' }

const invitationTo = ({ email }: { email: string }) => ({
  kind: 'invitation' as const,
  email,
  path: '/admin',
})

type Invitation = { user_id: string; outcome: 'invited' | 'granted' | 'unchanged' }

/** The lock makes a concurrent sign-in wait: it finds the change, or its session is found. */
async function getLocked(tx: Transaction, user_id: string) {
  const user = await lockUser(tx, eq(users.id, user_id))
  if (!user) throw accountProblem('users.not_found')
  if (isErased(user)) throw accountProblem('users.erased')
  return user
}

async function revokeRole(tx: Transaction, user_id: string, role: Role): Promise<boolean> {
  const isRole = and(eq(user_roles.user_id, user_id), eq(user_roles.role, role))
  const { rowCount } = await tx.delete(user_roles).where(isRole)
  if (rowCount === 1) await updateTopRole(tx, user_id)
  return rowCount === 1
}

/** Counts no admin who was invited and has chosen nothing yet: the mail may be unsent, or wrongly addressed. */
async function requireRemainingAdmin(tx: Transaction, leaving: string, now: Date): Promise<void> {
  const facts = z.object({ is_admin: z.boolean(), has_others: z.boolean() })
  const { is_admin, has_others } = await queryOne(
    tx,
    facts,
    sql`
    select exists (select from user_roles where role = 'admin' and user_id = ${leaving}) as is_admin,
      exists (
        select from user_roles join auth.users on users.id = user_id
        where role = 'admin' and user_id <> ${leaving} and (banned_until is null or banned_until < ${now.toISOString()})
          and (password_hash is not null or exists (
            select from auth.mfa_factors f
            where f.user_id = users.id and factor_type = 'webauthn' and f.status = 'verified'))
      ) as has_others`,
  )
  if (is_admin && !has_others) throw accountProblem('users.last_admin')
}
