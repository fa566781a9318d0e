import { z } from 'zod'
import { id, searchTerm, timestamp } from '../fields.ts'
import { cursor, pageOf } from '../paging.ts'

/** How long they are stored: some only mistyped, and privacy forbids to keep that for longer. */
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
