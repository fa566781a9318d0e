// The people of the shop, for the desk: found, sorted and paged at a cost that does not grow with their number.
import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Role } from '#contract/accounts.ts'
import type { BoundedCount } from '#contract/paging.ts'
import type { User, UserDetail, UserList, UserListRequest } from '#contract/users.ts'
import type { Db, Transaction } from '../db/client.ts'
import type { NewAccount } from '../auth/auth.ts'
import { Problem } from '../problem.ts'
import type { Services } from '../services.ts'
import { recordDeed, type Actor } from './audit.ts'
import { containing, readCursor, toPage } from './paging.ts'

const pageSize = 50
/** Who looks for more people than this looks further: "1,000+" says so. */
const countedAtMost = 1000
/** How far the order is walked for a term that many fit, before the index is asked for all of them. */
const walkedAtMost = 10_000

type Sort = { by: SQL; type: SQL }

/** Each has an index of its own, with the person's id as its second column. */
const sorts: Record<UserListRequest['sort'], Sort> = {
  name: { by: sql`lower(coalesce(p.display_name, p.email))`, type: sql`text` },
  role: { by: sql`p.top_role`, type: sql`text` },
  joined: { by: sql`p.created_at`, type: sql`timestamptz` },
  purchases: { by: sql`s.total_purchases`, type: sql`integer` },
  spent: { by: sql`s.total_spent`, type: sql`numeric` },
  last: { by: sql`coalesce(s.last_purchase, '-infinity')`, type: sql`timestamptz` },
}

const key = z.tuple([z.string(), z.uuid()])

/** Times as PostgreSQL writes them: drizzle leaves those of hand-written SQL alone. */
type Row = User & { place: string }

export async function listUsers(db: Db, request: UserListRequest): Promise<UserList> {
  const { q } = request
  const [shown, total] = await Promise.all([q ? countMatches(db, q) : undefined, countPeople(db)])
  const rows = await findPage(db, request, shown)
  const page = toPage(rows, pageSize, { item: toUser, key: (row) => [row.place, row.user_id] })
  return { ...page, shown: shown ?? { count: total, isMore: false }, total }
}

/**
 * Of a rare term the index gives all, and these are sorted; a common one is met soon by walking the order. Neither
 * alone stays fast: to sort what everybody fits, or to walk past everybody for one.
 */
async function findPage(
  db: Db,
  { q, sort, dir, after }: UserListRequest,
  shown: BoundedCount | undefined,
): Promise<Row[]> {
  const { by, type } = sorts[sort]
  const place = readCursor(after, key)
  const [way, side] = dir === 'desc' ? [sql`desc`, sql`<`] : [sql`asc`, sql`>`]
  const id = sort === 'joined' || sort === 'name' || sort === 'role' ? sql`p.user_id` : sql`s.user_id`
  const people = sql`
    select p.user_id, p.email, p.display_name, p.created_at, s.total_purchases, s.total_spent, s.last_purchase,
      ${by} as sorted_by
    from profiles p join reader_sums s on s.user_id = p.user_id
    where ${place ? sql`(${by}, ${id}) ${side} (${place[0]}::${type}, ${place[1]}::uuid)` : sql`true`}`
  const inOrder = sql`order by sorted_by ${way}, user_id ${way} limit ${pageSize + 1}`
  const walk = (steps: number) => sql`${people} order by ${by} ${way}, ${id} ${way} limit ${steps}`

  const read = async (found: SQL) => {
    const { rows } = await db.execute<Row>(sql`
      with found as materialized (${found})
      select u.user_id, u.email, u.display_name, u.created_at, u.total_purchases, u.total_spent, u.last_purchase,
        u.sorted_by::text as place, ${account}
      from (select * from found ${inOrder}) u left join auth.users a on a.id = u.user_id
      order by u.sorted_by ${way}, u.user_id ${way}`)
    return rows
  }
  if (!q) return await read(walk(pageSize + 1))
  if (shown?.isMore) {
    const rows = await read(
      sql`select p.* from (${walk(walkedAtMost)}) p where ${matches(q)} ${inOrder}`,
    )
    if (rows.length > pageSize) return rows
  }
  return await read(sql`${people} and ${matches(q)}`)
}

const account = sql`
  array(select role from user_roles r where r.user_id = u.user_id order by role) as roles,
  a.email_confirmed_at is not null as is_verified, coalesce(a.banned_until > now(), false) as is_disabled`

/** As the index over both has it. */
function matches(q: string): SQL {
  return sql`(p.email || ' ' || coalesce(p.display_name, '')) ilike ${containing(q)}`
}

async function countMatches(db: Db, q: string): Promise<BoundedCount> {
  const { rows } = await db.execute<{ count: number }>(sql`
    select count(*) from (select 1 from profiles p where ${matches(q)} limit ${countedAtMost + 1}) found`)
  const found = rows[0]!.count
  return { count: Math.min(found, countedAtMost), isMore: found > countedAtMost }
}

async function countPeople(db: Db): Promise<number> {
  const { rows } = await db.execute<{ people: number }>(
    sql`select coalesce(sum(people), 0) as people from people_count`,
  )
  return rows[0]!.people
}

function toUser({ place: _place, ...row }: Row): User {
  const { created_at, last_purchase } = row
  return { ...row, created_at: iso(created_at), last_purchase: last_purchase && iso(last_purchase) }
}

const iso = (moment: string) => new Date(moment).toISOString()

/** Throws users.not_found. */
export async function getUser(
  { db, auth }: Pick<Services, 'db' | 'auth'>,
  user_id: string,
): Promise<UserDetail> {
  return db.transaction(async (tx) => {
    const { rows } = await tx.execute<Row>(sql`
      select u.user_id, u.email, u.display_name, u.created_at, s.total_purchases, s.total_spent, s.last_purchase,
        ${account}
      from profiles u join reader_sums s using (user_id) left join auth.users a on a.id = u.user_id
      where u.user_id = ${user_id}`)
    const [row] = rows
    if (!row) throw new Problem('users.not_found')
    const { last_sign_in_at, sessions } = await auth.desk.describe(tx, user_id)
    return { ...toUser(row), sessions, last_sign_in_at: last_sign_in_at?.toISOString() ?? null }
  })
}

type Needs = Pick<Services, 'db' | 'auth'>

/** Verified at once. Throws accounts.email_taken. */
export async function createUser(
  { auth }: Pick<Services, 'auth'>,
  actor: Actor,
  account: NewAccount,
): Promise<void> {
  const { email: subject, role } = account
  await auth.createAccount(account, (tx, subject_id) =>
    recordDeed(tx, actor, { action: 'users.created', subject, subject_id, detail: { role } }),
  )
}

/** Throws users.not_found, users.last_admin. */
export function setRole({ db, auth }: Needs, actor: Actor, user_id: string, role: Role, isGranted: boolean) {
  const action = isGranted ? 'users.role_granted' : 'users.role_revoked'
  return change(db, actor, user_id, { action, detail: { role } }, (tx) =>
    auth.desk.setRole(tx, user_id, role, isGranted),
  )
}

/** Throws users.not_found, users.last_admin, users.oneself. */
export function setDisabled({ db, auth }: Needs, actor: Actor, user_id: string, isDisabled: boolean) {
  if (isDisabled && actor.id === user_id) throw new Problem('users.oneself')
  const action = isDisabled ? 'users.disabled' : 'users.enabled'
  return change(db, actor, user_id, { action }, (tx) => auth.desk.setDisabled(tx, user_id, isDisabled))
}

/** Throws users.not_found. */
export function endSessions({ db, auth }: Needs, actor: Actor, user_id: string) {
  return change(db, actor, user_id, { action: 'users.signed_out' }, (tx) =>
    auth.desk.endSessions(tx, user_id),
  )
}

/** Throws users.not_found, users.already_verified. */
export function resendVerification({ db, auth }: Needs, actor: Actor, user_id: string) {
  return change(db, actor, user_id, { action: 'users.verification_sent' }, (tx) =>
    auth.desk.resendVerification(tx, user_id),
  )
}

type Change = { action: `${string}.${string}`; detail?: Record<string, unknown> }

/** What is done and what is written about it: both or neither. */
function change(
  db: Db,
  actor: Actor,
  user_id: string,
  deed: Change,
  make: (tx: Transaction) => Promise<void>,
): Promise<void> {
  return db.transaction(async (tx) => {
    await make(tx)
    const { rows } = await tx.execute<{ email: string }>(
      sql`select email from profiles where user_id = ${user_id}`,
    )
    await recordDeed(tx, actor, { ...deed, subject: rows[0]?.email ?? user_id, subject_id: user_id })
  })
}
