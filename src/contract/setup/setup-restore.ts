// A new shop takes the place of one that its author has a backup of.
import { z } from 'zod'
import { setupLink } from './setup.ts'

const line = (max: number) => z.string().trim().max(max)

const uploadedFile = z.strictObject({ kind: z.literal('file'), upload_id: z.string().max(64) })

/** Each as the provider names it. `prefix` is a folder in the bucket; empty for none. */
const bucketPlace = z.strictObject({
  kind: z.literal('bucket'),
  /** Empty for AWS itself. */
  endpoint: line(300),
  region: line(60),
  bucket: line(63).regex(/^[a-z\d][a-z\d.-]+$/, 'has small letters, digits, dots and hyphens only'),
  prefix: line(300),
  access_key: line(200).min(1),
  secret_key: line(200).min(1),
})
export type BucketPlace = z.infer<typeof bucketPlace>

const restoreSource = z.discriminatedUnion('kind', [uploadedFile, bucketPlace])
export type RestoreSource = z.infer<typeof restoreSource>

export const openBackupRequest = setupLink.extend({
  source: restoreSource,
  passphrase: line(500).min(1),
})
export type OpenBackupRequest = z.infer<typeof openBackupRequest>

export const startRestoreRequest = setupLink.extend({ name: z.string().max(60) })

const foundBackup = z.object({
  name: z.string(),
  created_at: z.string(),
  version: z.string(),
  /** Null where the backup does not say it in a way that this version reads. */
  title: z.string().nullable(),
  site_url: z.string().nullable(),
  orders: z.int(),
  users: z.int(),
  files: z.int(),
  /** The rows, compressed, and the files have this size together, in bytes. */
  size: z.number(),
  /** Says what has to be changed on this machine before the backup can be restored; null where nothing has. */
  obstacle: z.string().nullable(),
})
export type FoundBackup = z.infer<typeof foundBackup>

/** The steps are in the order of a restore. `closed`: the shop is closed, and opens again with the restored data. */
const restoreSteps = ['reading', 'checking', 'tables', 'files', 'copies', 'closed'] as const

export const restoreState = z.object({
  /** `none` also where the process was ended meanwhile: nothing was changed then. */
  state: z.enum(['none', 'opening', 'opened', 'restoring', 'failed', 'restored']),
  step: z.enum(restoreSteps).nullable(),
  done: z.number(),
  total: z.number(),
  backup: foundBackup.nullable(),
  problem: z.string().nullable(),
})
export type RestoreState = z.infer<typeof restoreState>
