import { z } from 'zod'
import { id, searchTerm, timestamp } from '../fields.ts'
import { cursor, pageOf } from '../paging.ts'

export const auditEntry = z.object({
  id,
  actor: z.string(),
  action: z.string(),
  subject: z.string(),
  subject_id: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()),
  ip: z.string().nullable(),
  created_at: timestamp,
})
export type AuditEntry = z.infer<typeof auditEntry>

export const auditRequest = z.object({ q: searchTerm.optional(), after: cursor.optional() })
export type AuditRequest = z.infer<typeof auditRequest>

export const auditLog = pageOf(auditEntry)
