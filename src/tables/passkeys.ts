import { bigint, boolean, jsonb, text, uuid } from 'drizzle-orm/pg-core'
import { bytes, moment } from './columns.ts'
import { auth, mfa_factors } from './accounts.ts'

/** The key of a factor of the type `webauthn`, which is verified from the beginning. */
export const passkeys = auth.table('passkeys', {
  factor_id: uuid()
    .primaryKey()
    .references(() => mfa_factors.id, { onDelete: 'cascade' }),
  /** The authenticator's own, as base64url. */
  credential_id: text().notNull().unique(),
  public_key: bytes().notNull(),
  counter: bigint({ mode: 'number' }).notNull(),
  transports: jsonb().$type<string[]>().notNull(),
  is_backed_up: boolean().notNull(),
  /** The host of the shop's address at that time: browsers offer it there only. */
  rp_id: text().notNull(),
  last_used_at: moment(),
})
