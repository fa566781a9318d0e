// Users, sessions and second factors in the schema `auth`; profiles and roles beside. No row holds what signs a user in.
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgSchema,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { created_at, moment, moneySum, oneOf, bytes } from './columns.ts'
import type { JWK } from 'jose'
import { roles } from '#contract/accounts/accounts.ts'

export type UserMetadata = { display_name?: string; [key: string]: unknown }
export type Amr = { method: string; timestamp: number }[]

export const auth = pgSchema('auth')

export const users = auth.table(
  'users',
  {
    id: uuid().primaryKey(),
    email: text().notNull(),
    password_hash: text(),
    /** Set where another person may know the password: made by hand, or chosen before the address was changed. */
    password_unproven_since: moment(),
    email_confirmed_at: moment(),
    user_metadata: jsonb().$type<UserMetadata>().notNull().default({}),
    banned_until: moment(),
    last_sign_in_at: moment(),
    new_email: text(),
    new_email_asked_at: moment(),
    /** This session and this browser (`deviceKey`) asked for the change that waits. */
    new_email_session_id: uuid(),
    new_email_device: text(),
    /** The browser in which the new mailbox confirmed; null until then. */
    new_email_pressed_by: text(),
    old_email_confirmed_at: moment(),
    created_at: created_at(),
    updated_at: created_at(),
  },
  (t) => [uniqueIndex('users_email').on(sql`lower(${t.email})`)],
)

const user_id = () =>
  uuid()
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

export const sessions = auth.table(
  'sessions',
  {
    id: uuid().primaryKey(),
    user_id: user_id(),
    /** Counts how often the refresh token was rotated: a token carries the count it was made at. */
    counter: bigint({ mode: 'number' }).notNull().default(0),
    salt: bytes().notNull(),
    aal: text({ enum: ['aal1', 'aal2'] })
      .notNull()
      .default('aal1'),
    amr: jsonb().$type<Amr>().notNull().default([]),
    proved_at: moment().notNull(),
    /** A code of a factor that was verified before was last given then; enrolling is no proof. */
    factor_proved_at: moment(),
    ip: text(),
    user_agent: text(),
    created_at: created_at(),
    refreshed_at: created_at(),
    not_after: moment().notNull(),
    revoked_at: moment(),
    revoked_reason: text(),
  },
  (t) => [index('sessions_of_user').on(t.user_id)],
)

/** Browsers that have signed in, which strangers' failures do not lock out; the hash is of the id that a browser keeps. */
export const known_devices = auth.table(
  'known_devices',
  {
    user_id: user_id(),
    hash: bytes().notNull(),
    last_seen_at: created_at(),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.hash] })],
)

/** A sign-up's choices wait here until its mail is sent. Jobs are kept for weeks, so their payload must not hold them. */
export const pending_sign_ups = auth.table('pending_sign_ups', {
  id: uuid().primaryKey(),
  password_hash: text().notNull(),
  user_metadata: jsonb().$type<UserMetadata>().notNull(),
  created_at: created_at(),
})

export const one_time_tokens = auth.table(
  'one_time_tokens',
  {
    hash: bytes().primaryKey(),
    user_id: user_id(),
    type: text({
      enum: ['signup', 'magiclink', 'recovery', 'email_change_current', 'email_change_new'],
    }).notNull(),
    email: text().notNull(),
    /** A sign-up's own password and name wait here until its own link is pressed. */
    password_hash: text(),
    user_metadata: jsonb().$type<UserMetadata>(),
    /** Null without a code; `code_device` is empty for clients that send no id of their device. */
    code_signature: text(),
    code_device: text(),
    code_expires_at: moment(),
    code_tries: integer().notNull().default(0),
    created_at: created_at(),
    expires_at: moment().notNull(),
  },
  (t) => [index('one_time_tokens_of_user').on(t.user_id, t.type)],
)

export const factorTypes = ['totp', 'webauthn', 'recovery_code'] as const

export const mfa_factors = auth.table(
  'mfa_factors',
  {
    id: uuid().primaryKey(),
    user_id: user_id(),
    friendly_name: text(),
    factor_type: text({ enum: factorTypes }).notNull().default('totp'),
    status: text({ enum: ['unverified', 'verified'] })
      .notNull()
      .default('unverified'),
    /** An authenticator app alone has one. */
    secret: bytes(),
    last_step: bigint({ mode: 'number' }).notNull().default(0),
    created_at: created_at(),
    updated_at: created_at(),
  },
  (t) => [index('mfa_factors_of_user').on(t.user_id)],
)

export const mfa_challenges = auth.table(
  'mfa_challenges',
  {
    id: uuid().primaryKey(),
    /** Null where a passkey is to be added, or to sign in. */
    factor_id: uuid().references(() => mfa_factors.id, { onDelete: 'cascade' }),
    /** The session that asked is the only one that may answer. Null where a passkey is to sign in. */
    session_id: uuid().references(() => sessions.id, { onDelete: 'cascade' }),
    /** A passkey signs it. */
    challenge: text(),
    created_at: created_at(),
    expires_at: moment().notNull(),
  },
  (t) => [
    index('mfa_challenges_of_session').on(t.session_id),
    index('mfa_challenges_of_factor').on(t.factor_id),
  ],
)

/** Those that were not used yet. A code has 80 random bits, so that its SHA-256 is enough. */
export const recovery_codes = auth.table(
  'recovery_codes',
  {
    factor_id: uuid()
      .notNull()
      .references(() => mfa_factors.id, { onDelete: 'cascade' }),
    hash: bytes().notNull(),
  },
  (t) => [primaryKey({ columns: [t.factor_id, t.hash] })],
)

/** Wrong codes in a row, by strength of the session and device: see limits.ts. */
export const wrong_codes = auth.table(
  'wrong_codes',
  {
    user_id: user_id(),
    aal: text({ enum: ['aal1', 'aal2'] }).notNull(),
    device: bytes().notNull(),
    count: integer().notNull(),
    last_at: moment().notNull(),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.aal, t.device] })],
)

export const audit_log = auth.table(
  'audit_log',
  {
    id: uuid().primaryKey(),
    user_id: uuid(),
    event: text().notNull(),
    detail: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    ip: text(),
    email: text(),
    attempts: integer().notNull().default(1),
    bucket: text().unique(),
    created_at: created_at(),
  },
  (t) => [
    index('audit_log_of_user').on(t.user_id, t.created_at.desc()),
    index('audit_log_of_email')
      .on(t.email, t.created_at)
      .where(sql`${t.email} is not null`),
    index('audit_log_newest').on(t.created_at.desc().nullsFirst(), t.id.desc().nullsFirst()),
  ],
)

export const profiles = pgTable(
  'profiles',
  {
    user_id: uuid().primaryKey(),
    email: text().notNull(),
    display_name: text(),
    /** The role that takes precedence of all the person has. */
    top_role: text({ enum: roles }).notNull().default('user'),
    created_at: created_at(),
  },
  (t) => [
    index('profiles_newest').on(t.created_at.desc().nullsFirst(), t.user_id.desc().nullsFirst()),
    index('profiles_by_name').on(sql`lower(coalesce(${t.display_name}, ${t.email}))`, t.user_id),
    index('profiles_by_role').on(t.top_role, t.user_id),
    index('profiles_searchable').using(
      'gin',
      sql`searchable(${t.email} || ' ' || coalesce(${t.display_name}, '')) gin_trgm_ops`,
    ),
  ],
)

export const user_roles = pgTable(
  'user_roles',
  {
    user_id: uuid()
      .notNull()
      .references(() => profiles.user_id, { onDelete: 'cascade' }),
    role: text({ enum: roles }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.role] }), check('user_roles_role', oneOf('role', roles))],
)

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

export const user_sums = pgTable(
  'user_sums',
  {
    user_id: uuid()
      .primaryKey()
      .references(() => profiles.user_id, { onDelete: 'cascade' }),
    total_purchases: integer().notNull().default(0),
    total_spent: moneySum(),
    last_purchase: moment(),
  },
  (t) => [
    index('user_sums_by_purchases').on(t.total_purchases.desc().nullsFirst(), t.user_id.desc().nullsFirst()),
    index('user_sums_by_spent').on(t.total_spent.desc().nullsFirst(), t.user_id.desc().nullsFirst()),
    index('user_sums_by_last').on(
      sql`coalesce(${t.last_purchase}, '-infinity') desc`,
      t.user_id.desc().nullsFirst(),
    ),
  ],
)

export const user_count = pgTable('user_count', {
  shard: smallint().primaryKey(),
  users: integer().notNull().default(0),
})

/** Accounts that are to be erased; the row goes with the erasure. */
export const erasures = pgTable(
  'erasures',
  {
    user_id: uuid()
      .primaryKey()
      .references(() => profiles.user_id, { onDelete: 'cascade' }),
    asked_at: created_at(),
    due_at: moment().notNull(),
    /** Nobody can sign in since then; what was under way then has ended before the erasure. */
    began_at: moment(),
  },
  (t) => [index('erasures_due').on(t.due_at)],
)

/** SHA-256 of the ids of erased accounts and of their purchases, which are random. */
export const erased_ids = pgTable('erased_ids', {
  hash: bytes().primaryKey(),
  erased_at: created_at(),
})

export const signing_keys = auth.table('signing_keys', {
  kid: text().primaryKey(),
  public_jwk: jsonb().$type<JWK>().notNull(),
  private_jwk: bytes().notNull(),
  created_at: created_at(),
})
