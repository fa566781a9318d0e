// Refused sign-ins in the audit log. Strangers make them, so they are counted and their number of rows is bounded:
// one a network and address in an hour, further addresses of a network together, and further networks together.
// Wrong codes and current passwords come from sessions, so they are counted by account, one row an hour each.
import { and, eq, gte, isNotNull, isNull, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#platform/db/client.ts'
import { audit_log } from './schema.ts'

const hour = 3_600_000
export const maxRowsOfNetwork = 20
export const maxRows = 200
const maxEmail = 100

export type RefusedSignIn = { event: 'sign_in_failed' | 'sign_in_blocked'; email: string; network: string }

/** The same work whether or not the address has an account. Never holds a password. */
export async function recordRefusedSignIn(db: Db, refused: RefusedSignIn, now: Date): Promise<void> {
  const { event, network } = refused
  const email = refused.email.slice(0, maxEmail)
  const start = startOfHour(now)
  const window = `${event} ${start.toISOString()}`
  const own = `${window} ${network} ${email}`
  const counted = await db
    .update(audit_log)
    .set({ attempts: oneMore })
    .where(eq(audit_log.bucket, own))
    .returning({ id: audit_log.id })
  if (counted.length > 0) return
  const { ofNetwork, ofAll } = await countRows(db, network, start)
  const row =
    ofAll >= maxRows
      ? { bucket: window }
      : ofNetwork >= maxRowsOfNetwork
        ? { bucket: `${window} ${network}`, ip: network }
        : { bucket: own, ip: network, email }
  await count(db, { event, ...row }, now)
}

export type WrongProof = { event: 'wrong_code' | 'wrong_password'; user_id: string; network: string }

/** Never holds what was given. Not for a transaction that the refusal rolls back. */
export async function recordWrongProof(
  db: Db,
  { event, user_id, network }: WrongProof,
  now: Date,
): Promise<void> {
  const bucket = `${event} ${startOfHour(now).toISOString()} ${user_id}`
  await count(db, { event, user_id, ip: network, bucket }, now)
}

const oneMore = sql`${audit_log.attempts} + 1`

type Row = Pick<typeof audit_log.$inferInsert, 'event' | 'user_id' | 'ip' | 'email'> & { bucket: string }

async function count(db: Db, row: Row, now: Date): Promise<void> {
  await db
    .insert(audit_log)
    .values({ id: uuidv7(), created_at: now, ...row })
    .onConflictDoUpdate({ target: audit_log.bucket, set: { attempts: oneMore } })
}

function startOfHour(now: Date): Date {
  return new Date(Math.floor(now.getTime() / hour) * hour)
}

async function countRows(db: Db, network: string, start: Date) {
  const [counted] = await db
    .select({
      ofAll: sql<number>`count(*)`,
      ofNetwork: sql<number>`count(*) filter (where ${audit_log.ip} = ${network})`,
    })
    .from(audit_log)
    .where(and(gte(audit_log.created_at, start), isNotNull(audit_log.bucket), isNull(audit_log.user_id)))
  return counted ?? { ofAll: 0, ofNetwork: 0 }
}
