// The users of the shop, for the admin area: found, sorted and paged at a cost that does not grow with their number.
import { z } from 'zod'
import { neighborsOf } from '#platform/db/neighbors.ts'
import { isoTime, queryAll, queryFirst, queryOne } from '#platform/db/query.ts'
import { eq, sql } from 'drizzle-orm'
import { addressToCome, missingMailboxes } from './address-change-state.ts'
import type { Role } from '#contract/accounts/accounts.ts'
import {
  user,
  userDetail,
  type User,
  type UserDetail,
  type UserList,
  type UserListRequest,
} from '#contract/accounts/users.ts'
import { profiles, users } from '#tables/accounts.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import type { Around, NewAccount, WithAuth } from './auth.ts'
import type { RequireProof } from './recent-proof.ts'
import { accountProblem } from './problem.ts'
import type { Services } from '#platform/services.ts'
import { recordAuditEvent, type Actor, type AuditEvent } from '#platform/audit-log.ts'
import { toPage } from '#platform/http/cursors.ts'
import { findUsers, manyUsers } from './user-search.ts'
import { findPlaces, pageSize, place } from './user-order.ts'

const userRow = user.extend({ created_at: isoTime, last_purchase: isoTime.nullable() })

export async function listUsers(db: Db, request: UserListRequest): Promise<UserList> {
  const { q } = request
  const [ids, total] = await Promise.all([q ? findUsers(db, q) : undefined, countUsers(db)])
  const places = await findPlaces(db, request, ids)
  const query = sql`
    select u.user_id, u.email, u.display_name, u.created_at, s.total_purchases, s.total_spent, s.last_purchase,
      place, ${account}
    from unnest(${sql.param(places.map(({ user_id }) => user_id))}::uuid[],
        ${sql.param(places.map(({ place }) => place))}::text[]) with ordinality found (user_id, place, nth)
      join profiles u using (user_id) join user_sums s using (user_id) left join auth.users a on a.id = u.user_id
    order by nth`
  const rows = await queryAll(db, userRow.extend(place.shape), query)
  const page = toPage(rows, pageSize, {
    item: ({ place: _place, ...row }): User => row,
    key: (row) => [row.place, row.user_id],
  })
  if (!q) return { ...page, shown: { count: total, isMore: false }, total }
  return { ...page, shown: { count: ids?.length ?? manyUsers.atLeast, isMore: !ids }, total }
}

const account = sql`
  array(select role from user_roles r where r.user_id = u.user_id order by role) as roles,
  a.email_confirmed_at is not null as is_verified, coalesce(a.banned_until > now(), false) as is_disabled,
  u.email = '' as is_erased`

async function countUsers(db: Db): Promise<number> {
  const query = sql`select coalesce(sum(users), 0) as users from user_count`
  const { users } = await queryOne(db, z.object({ users: z.number() }), query)
  return users
}

const detailRow = userDetail
  .omit({ address_change: true })
  .extend({ ...userRow.shape, last_sign_in_at: isoTime.nullable() })

export async function getUser(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  user_id: string,
): Promise<UserDetail> {
  const query = sql`
    select u.user_id, u.email, u.display_name, u.created_at, s.total_purchases, s.total_spent, s.last_purchase,
      ${account}, a.last_sign_in_at,
      (select count(*) from auth.sessions o where o.user_id = a.id and revoked_at is null) as sessions,
      (select count(*) from auth.mfa_factors f where f.user_id = a.id and status = 'verified'
          and factor_type <> 'recovery_code') as factors,
      ${neighborsOf(sql`(select user_id as id, created_at from profiles)`, user_id)} as neighbors
    from profiles u join user_sums s using (user_id) join auth.users a on a.id = u.user_id
    where u.user_id = ${user_id}`
  const found = await queryFirst(db, detailRow, query)
  if (!found) throw accountProblem('users.not_found')
  const [row] = await db.select().from(users).where(eq(users.id, user_id))
  const new_email = row && addressToCome(row, clock())
  return { ...found, address_change: new_email ? { new_email, missing: missingMailboxes(row) } : null }
}

type Needs = Pick<Services, 'db'> & WithAuth

export async function createUser(
  { auth }: WithAuth,
  actor: Actor,
  account: NewAccount,
  { before, after }: Around = {},
): Promise<void> {
  const { email: subject, role } = account
  await auth.createAccount(account, {
    before,
    async after(tx, subject_id) {
      await after?.(tx, subject_id)
      if (role === 'admin') await auth.admin.notifyAdded(tx, subject_id)
      await recordAuditEvent(tx, actor, { action: 'users.created', subject, subject_id, detail: { role } })
    },
  })
}

type RoleChange = { role: Role; isGranted: boolean; requireProof?: RequireProof | undefined }

export function setRole({ db, auth }: Needs, actor: Actor, user_id: string, wanted: RoleChange) {
  const { role, isGranted, requireProof } = wanted
  const action = isGranted ? 'users.role_granted' : 'users.role_revoked'
  return change(db, actor, user_id, { action, detail: { role } }, async (tx) => {
    await requireProof?.(tx)
    return auth.admin.setRole(tx, user_id, role, isGranted)
  })
}

type DisabledChange = { isDisabled: boolean; requireProof: RequireProof }

export function setDisabled({ db, auth }: Needs, actor: Actor, user_id: string, wanted: DisabledChange) {
  const { isDisabled, requireProof } = wanted
  if (isDisabled && actor.id === user_id) throw accountProblem('users.oneself')
  const action = isDisabled ? 'users.disabled' : 'users.enabled'
  return change(db, actor, user_id, { action }, (tx) =>
    auth.admin.setDisabled(tx, user_id, isDisabled, requireProof),
  )
}

export function endSessions({ db, auth }: Needs, actor: Actor, user_id: string, requireProof: RequireProof) {
  return change(db, actor, user_id, { action: 'users.signed_out' }, (tx) =>
    auth.admin.endSessions(tx, user_id, requireProof),
  )
}

export function resetFactors(
  { db, auth }: Needs,
  actor: Actor,
  user_id: string,
  requireProof?: RequireProof,
) {
  return change(db, actor, user_id, { action: 'users.factors_reset' }, async (tx) => {
    await requireProof?.(tx)
    await auth.admin.resetFactors(tx, user_id)
  })
}

export function offer(
  { db, auth }: Needs,
  actor: Actor,
  { user_id, kind }: { user_id: string; kind: 'data_offered' | 'erasure_offered' },
) {
  return change(db, actor, user_id, { action: `users.${kind}` }, (tx) => auth.admin.offer(tx, user_id, kind))
}

export function confirmAddressChange(
  { db, auth }: Needs,
  actor: Actor,
  user_id: string,
  { new_email, requireProof }: { new_email: string; requireProof: RequireProof },
) {
  const event = { action: 'users.address_confirmed', detail: { to: new_email } } as const
  return change(db, actor, user_id, event, async (tx) => {
    await requireProof(tx)
    await auth.admin.confirmAddressChange(tx, user_id, new_email)
  })
}

export function resendVerification({ db, auth }: Needs, actor: Actor, user_id: string) {
  return change(db, actor, user_id, { action: 'users.verification_sent' }, (tx) =>
    auth.admin.resendVerification(tx, user_id),
  )
}

type Change = Pick<AuditEvent, 'action' | 'detail'>

function change<Result>(
  db: Db,
  actor: Actor,
  user_id: string,
  event: Change,
  make: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (tx) => {
    const result = await make(tx)
    const [profile] = await tx
      .select({ email: profiles.email })
      .from(profiles)
      .where(eq(profiles.user_id, user_id))
    await recordAuditEvent(tx, actor, { ...event, subject: profile?.email ?? user_id, subject_id: user_id })
    return result
  })
}
