// Refused sign-ins in the audit log. Strangers make them, so they are counted and their number of rows is bounded:
// one a network and address in an hour, further addresses of a network together, and further networks together.
import { and, eq, gte, isNotNull, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../db/client.ts'
import { audit_log } from '../db/schema/auth.ts'

const hour = 3_600_000
export const mostRowsOfNetwork = 20
export const mostRows = 200
const longestEmail = 100

export type RefusedSignIn = { event: 'sign_in_failed' | 'sign_in_blocked'; email: string; network: string }

/** The same work whether or not the address has an account. Never holds a password. */
export async function recordRefusedSignIn(db: Db, refused: RefusedSignIn, now: Date): Promise<void> {
  const { event, network } = refused
  const email = refused.email.slice(0, longestEmail)
  const start = new Date(Math.floor(now.getTime() / hour) * hour)
  const window = `${event} ${start.toISOString()}`
  const own = `${window} ${network} ${email}`
  const attempts = sql`${audit_log.attempts} + 1`
  const counted = await db
    .update(audit_log)
    .set({ attempts })
    .where(eq(audit_log.bucket, own))
    .returning({ id: audit_log.id })
  if (counted.length > 0) return
  const { ofNetwork, ofAll } = await countRows(db, network, start)
  const row =
    ofAll >= mostRows
      ? { bucket: window }
      : ofNetwork >= mostRowsOfNetwork
        ? { bucket: `${window} ${network}`, ip: network }
        : { bucket: own, ip: network, email }
  await db
    .insert(audit_log)
    .values({ id: uuidv7(), event, created_at: now, ...row })
    .onConflictDoUpdate({ target: audit_log.bucket, set: { attempts } })
}

async function countRows(db: Db, network: string, start: Date) {
  const [counted] = await db
    .select({
      ofAll: sql<number>`count(*)`,
      ofNetwork: sql<number>`count(*) filter (where ${audit_log.ip} = ${network})`,
    })
    .from(audit_log)
    .where(and(gte(audit_log.created_at, start), isNotNull(audit_log.bucket)))
  return counted ?? { ofAll: 0, ofNetwork: 0 }
}
