import type { JWK } from 'jose'
import { sql } from 'drizzle-orm'
import { boolean, check, jsonb, text } from 'drizzle-orm/pg-core'
import { bytes, created_at } from './columns.ts'
import { auth } from './accounts.ts'

export const signing_keys = auth.table('signing_keys', {
  kid: text().primaryKey(),
  public_jwk: jsonb().$type<JWK>().notNull(),
  private_jwk: bytes().notNull(),
  created_at: created_at(),
})

export const secret_fingerprint = auth.table(
  'secret_fingerprint',
  {
    is_only: boolean().primaryKey().default(true),
    fingerprint: bytes().notNull(),
    /** Those before it, with what they are still needed for: AES-256-GCM under a key derived from this one. */
    previous: bytes(),
    set_at: created_at(),
  },
  (t) => [check('secret_fingerprint_is_only_check', sql`${t.is_only}`)],
)

export const setting_secrets = auth.table('setting_secrets', {
  name: text().primaryKey(),
  sealed: bytes().notNull(),
  set_at: created_at(),
  set_by: text().notNull(),
})
