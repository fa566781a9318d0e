import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { and, eq, lt, or } from 'drizzle-orm'
import type { Db, Transaction } from '#platform/db/client.ts'
import { passkeys } from '#tables/passkeys.ts'
import { mfa_factors } from '#tables/accounts.ts'
import { verifyRequest, type RelyingParty } from './webauthn.ts'

type Given = { credential: AuthenticationResponseJSON; challenge: string }

/** Undefined when it is unknown or not right. Of two responses with one counter, at the same moment, one is right. */
export async function verifyPasskey(
  db: Db | Transaction,
  party: RelyingParty,
  { credential, challenge }: Given,
  now: Date,
): Promise<{ user_id: string; factor_id: string } | undefined> {
  const [found] = await db
    .select({ passkey: passkeys, user_id: mfa_factors.user_id })
    .from(passkeys)
    .innerJoin(mfa_factors, eq(mfa_factors.id, passkeys.factor_id))
    .where(eq(passkeys.credential_id, credential.id))
  const { userHandle } = credential.response
  if (!found || (userHandle && Buffer.from(userHandle, 'base64url').toString() !== found.user_id)) {
    return undefined
  }
  const { factor_id, credential_id: id, public_key, counter } = found.passkey
  const known = { id, publicKey: new Uint8Array(public_key), counter }
  const verified = await verifyRequest(party, credential, { challenge, credential: known })
  if (!verified) return undefined
  const goesOn = or(lt(passkeys.counter, verified.newCounter), eq(passkeys.counter, 0))
  const used = await db
    .update(passkeys)
    .set({ counter: verified.newCounter, is_backed_up: verified.credentialBackedUp, last_used_at: now })
    .where(and(eq(passkeys.factor_id, factor_id), goesOn))
  return used.rowCount === 1 ? { user_id: found.user_id, factor_id } : undefined
}
