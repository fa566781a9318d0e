// Backups as the admin area shows them: their runs, their places, and the copies that are there.
import { z } from 'zod'
import { rebuiltPurchases } from '../payments/needs-attention.ts'

const backupRunKinds = ['backup', 'rehearsal', 'restore'] as const
const runKind = z.enum(backupRunKinds)
export type BackupRunKind = z.output<typeof runKind>

/** `lost`: the process ended before the run did. */
const runStates = ['running', 'done', 'failed', 'lost'] as const

const backupRun = z.object({
  id: z.uuid(),
  kind: runKind,
  state: z.enum(runStates),
  started_at: z.string(),
  finished_at: z.string().nullable(),
  started_by: z.string(),
  progress: z.object({ step: z.enum(['tables', 'files']), done: z.number(), total: z.number() }).nullable(),
  backup: z.string().nullable(),
  /** The label of the place from which a rehearsal has read it, and of the only place that a backup was made for. */
  place: z.string().nullable(),
  orders: z.number().nullable(),
  files: z.number().nullable(),
  opened: z.string().nullable(),
  problems: z.array(z.string()),
})
export type BackupRun = z.output<typeof backupRun>

const problem = z.object({ since: z.string(), text: z.string() }).nullable()

const backupPlace = z.object({
  label: z.string(),
  backup_problem: problem,
  rehearsal_problem: problem,
  rehearsed_at: z.string().nullable(),
  is_own: z.boolean(),
  /** Entered on the screen, not named by BACKUP_URL. */
  is_by_screen: z.boolean(),
  is_same_disk: z.boolean(),
  /**
   * Says whether changes are copied there each hour, or why not; null for the shop's own folder. `slow`: the last took
   * too long.
   */
  hourly: z.enum(['on', 'off', 'same_disk', 'slow']).nullable(),
  is_encrypted: z.boolean(),
  backups: z.array(z.object({ name: z.string(), created_at: z.string() })).nullable(),
  /** Backups here that are encrypted where no key is set, or not encrypted where one is. */
  others: z.number(),
})

/** `size` in bytes, without what the encryption adds. The link is for one download. */
export const backupCopy = z.object({ url: z.string(), size: z.number(), created_at: z.string() })
export type BackupCopy = z.output<typeof backupCopy>

export const copyRequest = z.strictObject({ current_password: z.string().max(200).optional() })

/** `stored`: made by the shop. `unreadable`: sealed with a secret that is gone. */
const passphraseStates = ['none', 'stored', 'unreadable', 'variable'] as const

export const backups = z.object({
  places: z.array(backupPlace),
  passphrase: z.object({
    state: z.enum(passphraseStates),
    set_at: z.string().nullable(),
    set_by: z.string().nullable(),
  }),
  /** The newest backup in the shop's folder, in bytes: about as large as what would be downloaded. */
  size: z.number().nullable(),
  runs: z.array(backupRun),
  rebuilt: rebuiltPurchases,
})
export type Backups = z.output<typeof backups>

export const backupRequest = z.strictObject({ kind: z.enum(['backup', 'rehearsal']) })
