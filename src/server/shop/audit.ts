// Who did what at the desk, written in the transaction that does it.
import { v7 as uuidv7 } from 'uuid'
import type { Db, Transaction } from '../db/client.ts'
import { audit_log } from '../db/schema/audit.ts'

/** Who acts: an admin at the desk, or somebody at the shell of the machine. */
export type Actor = { id: string | null; email: string; ip: string | null }

export type Deed = {
  /** "noun.verb" */
  action: `${string}.${string}`
  /** What it was done to, as a person would name it. */
  subject: string
  subject_id?: string
  /** What there is to know besides; never a secret. */
  detail?: Record<string, unknown>
}

export async function recordDeed(db: Db | Transaction, actor: Actor, deed: Deed): Promise<void> {
  const { id: actor_id, email, ip } = actor
  await db.insert(audit_log).values({ id: uuidv7(), actor_id, actor: email, ip, ...deed })
}
