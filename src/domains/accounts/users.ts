// The users of the shop, for the admin area: sorted and paged at a cost that does not grow with their number, and changed.
import { z } from 'zod'
import {
  queryAll,
  queryOne,
  isoTime,
  queryFirst,
  neighborsOf,
  moment,
  readCursor,
  toPage,
} from '#platform/db/query.ts'
import { sql, type SQL, eq } from 'drizzle-orm'
import type { Db, Transaction } from '#platform/db/client.ts'
import { storable } from '#contract/fields.ts'
import {
  type UserListRequest,
  user,
  userDetail,
  type User,
  type UserDetail,
  type UserList,
  userList,
} from '#contract/accounts/users.ts'
import { addressToCome, missingMailboxes } from './pending-address.ts'
import { accountProblem } from './accounts.ts'
import type { Role } from '#contract/accounts/accounts.ts'
import { profiles, users } from '#tables/accounts.ts'
import type { AccountHooks, NewAccount, AccountsShop } from './shop.ts'
import type { RequireProof } from './recent-proof.ts'
import { linkAddress } from './links.ts'
import { recordAuditEvent, type Actor, type AuditEvent } from '#platform/audit-log.ts'
import type { MailShop } from '#domains/mail/shop.ts'
import { findUsers, isFitting, isFound, manyUsers, payersOf } from './user-search.ts'

const pageSize = 50
/** Rows of an order that are walked to meet many, before the index is asked for all of them. */
const maxWalked = 10_000

const userCursor = z.object({ user_id: z.string(), place: z.string() })
type UserCursor = z.output<typeof userCursor>

/** `text` is what a cursor may hold of it: what PostgreSQL reads back as `type`. */
type Sort = { id: SQL; from: SQL; by: SQL; type: SQL; text: z.ZodType<string> }

const ofProfile = { id: sql`p.user_id`, from: sql`profiles p` }
const ofSums = { id: sql`s.user_id`, from: sql`user_sums s join profiles p on p.user_id = s.user_id` }

const count = z.string().regex(/^\d{1,9}$/)
const sum = z.string().regex(/^-?\d{1,12}(\.\d{1,2})?$/)

const sorts: Record<UserListRequest['sort'], Sort> = {
  name: { ...ofProfile, by: sql`lower(coalesce(p.display_name, p.email))`, type: sql`text`, text: storable },
  role: { ...ofProfile, by: sql`p.top_role`, type: sql`text`, text: storable },
  joined: { ...ofProfile, by: sql`p.created_at`, type: sql`timestamptz`, text: moment },
  purchases: { ...ofSums, by: sql`s.total_purchases`, type: sql`integer`, text: count },
  spent: { ...ofSums, by: sql`s.total_spent`, type: sql`numeric`, text: sum },
  last: {
    ...ofSums,
    by: sql`coalesce(s.last_purchase, '-infinity')`,
    type: sql`timestamptz`,
    text: moment.or(z.literal('-infinity')),
  },
}

/**
 * A page and one more. Of a few `ids` the order is made; many, who have none here, are met soon by walking it. Neither
 * alone stays fast: to sort everybody, or to walk past everybody for one.
 */
async function findCursors(
  db: Db,
  { q, sort, dir, after }: UserListRequest,
  ids: string[] | undefined,
): Promise<UserCursor[]> {
  const { id, from, by, type, text } = sorts[sort]
  const beginning = readCursor(after, z.tuple([text, z.uuid()]))
  const [way, side] = dir === 'desc' ? [sql`desc`, sql`<`] : [sql`asc`, sql`>`]
  const isAfter = beginning
    ? sql`(${by}, ${id}) ${side} (${beginning[0]}::${type}, ${beginning[1]}::uuid)`
    : sql`true`
  const users = sql`
    select ${id} as user_id, ${by} as place, p.email, p.display_name from ${from} where ${isAfter}`

  const read = (condition: SQL) => {
    const query = sql`
      select user_id, place::text as place from (
        select user_id, place from (${condition}) p where ${q && !ids ? isFound(q) : sql`true`}
        order by p.place ${way}, user_id ${way} limit ${pageSize + 1}
      ) page`
    return queryAll(db, userCursor, query)
  }
  const walk = (steps: number) => read(sql`${users} order by ${by} ${way}, ${id} ${way} limit ${steps}`)
  if (!q) return await walk(pageSize + 1)
  if (ids) return await read(sql`${users} and ${id} = any(${sql.param(ids)}::uuid[])`)
  const met = await walk(maxWalked)
  // A materialized query is answered by the index first, and sorted then.
  return met.length > pageSize
    ? met
    : await read(
        sql`with all_of_them as materialized (
          ${users} and ${isFitting(q)} union ${users} and ${id} in ${payersOf(q)}) select * from all_of_them`,
      )
}

const userRow = user.extend({ created_at: isoTime, last_purchase: isoTime.nullable() })

export async function listUsers(db: Db, request: UserListRequest): Promise<UserList> {
  const { q } = request
  const [ids, { total, has_test_orders }] = await Promise.all([
    q ? findUsers(db, q) : undefined,
    countUsers(db),
  ])
  const cursors = await findCursors(db, request, ids)
  const query = sql`
    select u.user_id, u.email, reader_name(u.user_id) as display_name, u.created_at, s.total_purchases, s.total_spent, s.last_purchase,
      place, ${account}
    from unnest(${sql.param(cursors.map(({ user_id }) => user_id))}::uuid[],
        ${sql.param(cursors.map(({ place }) => place))}::text[]) with ordinality found (user_id, place, nth)
      join profiles u using (user_id) join user_sums s using (user_id) left join auth.users a on a.id = u.user_id
    order by nth`
  const rows = await queryAll(db, userRow.extend(userCursor.shape), query)
  const page = toPage(rows, pageSize, {
    item: ({ place: _place, ...row }): User => row,
    key: (row) => [row.place, row.user_id],
  })
  if (!q) return { ...page, shown: { count: total, isMore: false }, total, has_test_orders }
  return { ...page, shown: { count: ids?.length ?? manyUsers.atLeast, isMore: !ids }, total, has_test_orders }
}

const account = sql`
  array(select role from user_roles r where r.user_id = u.user_id order by role) as roles,
  a.email_confirmed_at is not null as is_verified, coalesce(a.banned_until > now(), false) as is_disabled,
  u.email = '' as is_erased`

function countUsers(db: Db): Promise<Pick<UserList, 'total' | 'has_test_orders'>> {
  const query = sql`
    select coalesce(sum(users), 0) as total, exists (select from sales_day where tests > 0) as has_test_orders
    from user_count`
  return queryOne(db, userList.pick({ total: true, has_test_orders: true }), query)
}

const detailRow = userDetail
  .omit({ address_change: true })
  .extend({ ...userRow.shape, last_sign_in_at: isoTime.nullable() })

export async function getUser({ db, clock }: MailShop, user_id: string): Promise<UserDetail> {
  const query = sql`
    select u.user_id, u.email, reader_name(u.user_id) as display_name, u.created_at, s.total_purchases, s.total_spent, s.last_purchase,
      ${account}, a.last_sign_in_at,
      (select count(*) from auth.sessions o where o.user_id = a.id and revoked_at is null) as sessions,
      (select count(*) from auth.mfa_factors f where f.user_id = a.id and status = 'verified'
          and factor_type <> 'recovery_code') as factors,
      ${neighborsOf(sql`(select user_id as id, created_at from profiles)`, user_id)} as neighbors
    from profiles u join user_sums s using (user_id) join auth.users a on a.id = u.user_id
    where u.user_id = ${user_id}`
  const record = await queryFirst(db, detailRow, query)
  if (!record) throw accountProblem('users.not_found')
  const [row] = await db.select().from(users).where(eq(users.id, user_id))
  const new_email = row && addressToCome(row, clock())
  return { ...record, address_change: new_email ? { new_email, missing: missingMailboxes(row) } : null }
}

export async function createUser(
  { auth }: AccountsShop,
  actor: Actor,
  account: NewAccount,
  { before, after }: AccountHooks = {},
): Promise<void> {
  const { email: subject, role } = account
  const by = actor.id === null ? actor.email : undefined
  await auth.createAccount(
    { ...account, by },
    {
      before,
      async after(tx, subject_id) {
        await after?.(tx, subject_id)
        if (role === 'admin') await auth.admin.notifyAdded(tx, subject_id)
        await recordAuditEvent(tx, actor, { action: 'users.created', subject, subject_id, detail: { role } })
      },
    },
  )
}

type RoleChange = { role: Role; isGranted: boolean; requireProof?: RequireProof | undefined }

export function setRole({ db, auth }: AccountsShop, actor: Actor, user_id: string, roleChange: RoleChange) {
  const { role, isGranted, requireProof } = roleChange
  const action = isGranted ? 'users.role_granted' : 'users.role_revoked'
  return change(db, actor, user_id, { action, detail: { role } }, async (tx) => {
    await requireProof?.(tx)
    return auth.admin.setRole(tx, user_id, role, isGranted)
  })
}

type DisabledChange = { isDisabled: boolean; requireProof: RequireProof }

export function setDisabled(
  { db, auth }: AccountsShop,
  actor: Actor,
  user_id: string,
  disabledChange: DisabledChange,
) {
  const { isDisabled, requireProof } = disabledChange
  if (isDisabled && actor.id === user_id) throw accountProblem('users.oneself')
  const action = isDisabled ? 'users.disabled' : 'users.enabled'
  return change(db, actor, user_id, { action }, (tx) =>
    auth.admin.setDisabled(tx, user_id, isDisabled, requireProof),
  )
}

export function endSessions(
  { db, auth }: AccountsShop,
  actor: Actor,
  user_id: string,
  requireProof: RequireProof,
) {
  return change(db, actor, user_id, { action: 'users.signed_out' }, (tx) =>
    auth.admin.endSessions(tx, user_id, requireProof),
  )
}

export function resetFactors(
  { db, auth }: AccountsShop,
  actor: Actor,
  user_id: string,
  requireProof?: RequireProof,
) {
  return change(db, actor, user_id, { action: 'users.factors_reset' }, async (tx) => {
    await requireProof?.(tx)
    await auth.admin.resetFactors(tx, user_id)
  })
}

/** The link works once, for an hour; all sessions end. */
export async function makePasswordLink(
  { db, auth, settings }: AccountsShop,
  actor: Actor,
  user_id: string,
): Promise<string> {
  const event = { action: 'users.password_link_made' } as const
  const { token, isAdmin } = await change(db, actor, user_id, event, (tx) =>
    auth.admin.makePasswordLink(tx, user_id),
  )
  return linkAddress(settings.get().shop.site_url, 'recovery', token, isAdmin ? '/admin' : undefined)
}

export function offer(
  { db, auth }: AccountsShop,
  actor: Actor,
  { user_id, kind }: { user_id: string; kind: 'data_offered' | 'erasure_offered' },
) {
  return change(db, actor, user_id, { action: `users.${kind}` }, (tx) => auth.admin.offer(tx, user_id, kind))
}

export function confirmAddressChange(
  { db, auth }: AccountsShop,
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

export function resendVerification({ db, auth }: AccountsShop, actor: Actor, user_id: string) {
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
