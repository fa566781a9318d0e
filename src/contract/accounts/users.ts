// Accounts as the admin area shows them, and what happened to them.
import { z } from 'zod'
import { email, id, searchTerm, timestamp, boundedCount, cursor, neighbors, pageOf } from '../fields.ts'
import { createUserRequest, roles } from './accounts.ts'
import { mailboxes } from './own-account.ts'

export const role = z.enum(roles)

export const user = z.object({
  user_id: id,
  email: z.string(),
  display_name: z.string().nullable(),
  roles: z.array(role),
  total_purchases: z.number().int(),
  total_spent: z.number(),
  last_purchase: timestamp.nullable(),
  created_at: timestamp,
  is_verified: z.boolean(),
  is_disabled: z.boolean(),
  /** The account is erased; its row stays for its purchases. */
  is_erased: z.boolean(),
})
export type User = z.infer<typeof user>

const userSorts = ['name', 'role', 'purchases', 'spent', 'last', 'joined'] as const

export const userListRequest = z.object({
  q: searchTerm.optional(),
  sort: z.enum(userSorts).default('joined'),
  dir: z.enum(['asc', 'desc']).default('desc'),
  after: cursor.optional(),
})
export type UserListRequest = z.infer<typeof userListRequest>

/** `shown`: how many the search finds; `total`: how many there are; `has_test_orders`: some that no sum counts. */
export const userList = pageOf(user).extend({
  shown: boundedCount,
  total: z.number().int(),
  has_test_orders: z.boolean(),
})
export type UserList = z.infer<typeof userList>

export const userDetail = user.extend({
  last_sign_in_at: timestamp.nullable(),
  sessions: z.number().int(),
  factors: z.number().int(),
  address_change: z.object({ new_email: z.string(), missing: z.array(z.enum(mailboxes)) }).nullable(),
  /** Neighbors by the day they joined. */
  neighbors,
})
export type UserDetail = z.infer<typeof userDetail>

export const proofGiven = z.strictObject({ current_password: z.string().max(200).optional() })

/** The new address as the admin saw it: another may have been asked for since. */
export const addressConfirmation = proofGiven.extend({ new_email: z.string().max(320) })

export const newUserRequest = createUserRequest.extend(proofGiven.shape)

export const disabledRequest = proofGiven.extend({ is_disabled: z.boolean() })

export const adminAccount = z.object({
  user_id: id,
  email: z.string(),
  display_name: z.string().nullable(),
  last_sign_in_at: timestamp.nullable(),
  is_disabled: z.boolean(),
  has_second_factor: z.boolean(),
})
export type AdminAccount = z.infer<typeof adminAccount>

export const adminList = z.object({ items: z.array(adminAccount) })

/** The admin's own password is not needed in the ten minutes after a sign-in. */
export const adminRequest = z.strictObject({ email, current_password: z.string().max(200).optional() })

/** `invited`: an account was made, or has no password yet, and its owner gets a link to choose one. */
export const adminAdded = z.object({ outcome: z.enum(['invited', 'granted', 'unchanged']) })
export type AdminAdded = z.infer<typeof adminAdded>

/** Days that events are stored. Some only record a mistyped password, and privacy forbids to keep that for longer. */
export const securityEventDays = 90

export const securityEventKinds = [
  'sign_in_failed',
  'sign_in_blocked',
  'wrong_code',
  'wrong_password',
  'refresh_token_reused',
  'password_changed',
  'password_ended',
  'email_change_asked',
  'email_change_confirmed',
  'email_changed',
  'factor_added',
  'factor_removed',
  'passkey_added',
  'passkey_removed',
  'factors_reset',
  'password_link_made',
  'recovery_codes_made',
  'recovery_code_used',
  'other_sessions_ended',
  'session_ended',
  'sessions_ended_by_admin',
  'data_taken',
  'erasure_asked',
  'erasure_canceled',
  'role_granted',
  'role_revoked',
  'account_made_by_hand',
  'account_disabled',
  'account_enabled',
] as const

export type SecurityEventKind = (typeof securityEventKinds)[number]

const securityEvent = z.object({
  id,
  kind: z.string(),
  user_id: id.nullable(),
  /** The account's address; for a refused sign-in what was typed, shortened. */
  email: z.string().nullable(),
  ip: z.string().nullable(),
  /** Refused sign-ins, wrong codes and wrong current passwords are counted by the hour. */
  attempts: z.number().int(),
  detail: z.record(z.string(), z.unknown()),
  created_at: timestamp,
})
export type SecurityEvent = z.infer<typeof securityEvent>

export const securityEventsRequest = z.object({
  q: searchTerm.optional(),
  kind: z.enum(securityEventKinds).optional(),
  after: cursor.optional(),
})
export type SecurityEventsRequest = z.infer<typeof securityEventsRequest>

export const securityEventsPage = pageOf(securityEvent)
