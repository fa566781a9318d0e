import { z } from 'zod'
import { rebuiltPurchases } from '../payments/needs-attention.ts'

// The second place as a screen sets it: a bucket. A folder is named by BACKUP_URL only.

const tooLong = 'Please keep this under 200 characters.'

function isServer(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, origin, href } = new URL(address)
  return /^https?:$/.test(protocol) && href === `${origin}/`
}

export const backupSettings = z.object({
  /** Empty: Amazon's, which follows from the region. */
  endpoint: z
    .string()
    .max(200, tooLong)
    .refine((address) => address === '' || isServer(address), {
      error: 'Please enter the address of the server alone, as https://s3.example.com.',
    })
    .transform((address) => address && new URL(address).origin),
  region: z
    .string()
    .regex(/^[a-z\d-]{0,40}$/, 'A region has small letters, digits and hyphens, as eu-central-1.'),
  /** Empty: there is no second place by this screen. */
  bucket: z
    .string()
    .regex(
      /^(?:[a-z\d][a-z\d.-]{1,61}[a-z\d])?$/,
      'The name of a bucket has 3 to 63 small letters, digits, dots and hyphens.',
    ),
  /** A folder of the bucket, so that several shops can share it. */
  prefix: z
    .string()
    .max(200, tooLong)
    .regex(/^[\w./ -]*$/, 'Please use letters, digits, dots, hyphens and slashes only.')
    .transform((path) => path.replaceAll(/^\/+|\/+$/g, ''))
    .refine((path) => path.split('/').every((part) => !/^\.{1,2}$/.test(part)), {
      error: 'This is not the name of a folder.',
    }),
  access_key: z.string().max(200, tooLong),
  secret_key: z.string().max(200, tooLong).optional(),
  /** Also each hour in which something changed. */
  is_hourly: z.boolean(),
  /** Made by the shop; encrypts what is copied to this bucket, and what is downloaded. */
  passphrase: z.string().optional(),
  /** Those before it, a line each: what opens the bucket may not be sealed with the present one yet. */
  former_passphrases: z.string().optional(),
  /** The server has to be on the internet: a screen must not reach into the shop's own network. */
  is_public_only: z.boolean(),
})
export type BackupSettings = z.output<typeof backupSettings>

const trySteps = ['write', 'list', 'read', 'remove'] as const
export type TryStep = (typeof trySteps)[number]

/** `failed`: the step that did not work; those after it were not tried. */
export const placeTest = z.object({
  place: z.string(),
  failed: z.enum(trySteps).nullable(),
  reason: z.string().nullable(),
  advice: z.string().nullable(),
})
export type PlaceTest = z.output<typeof placeTest>

// The passphrase that the shop makes: five groups of five letters, without those that are taken for others. 113 bits.

export const passphraseLetters = 'abcdefghjkmnpqrstuvwxyz'
export const passphraseGroups = 5
export const groupLetters = 5

const passphraseShape = new RegExp(`^[${passphraseLetters}]{${passphraseGroups * groupLetters}}$`)

/** As it was made, where one was typed with other spaces, hyphens or capitals. Any other text stays as it is. */
export function readPassphrase(text: string): string {
  const letters = text.replaceAll(/[\s-]/g, '').toLowerCase()
  if (!passphraseShape.test(letters)) return text
  return (letters.match(new RegExp(`.{${groupLetters}}`, 'g')) ?? []).join('-')
}

export const passphraseRequest = z.strictObject({ current_password: z.string().max(200).optional() })

/** Shown once. It counts when it was entered again, with the offer. */
export const passphraseOffer = z.object({ passphrase: z.string(), offer: z.string(), replaces: z.boolean() })
export type PassphraseOffer = z.output<typeof passphraseOffer>

export const passphraseConfirmation = z.strictObject({
  offer: z.string().max(2000),
  passphrase: z.string().max(200),
  current_password: z.string().max(200).optional(),
})

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
  /** Of a rehearsal without the key: objects that were compared with their checksums, and those that have none. */
  checked: z.number().nullable(),
  unchecked: z.number().nullable(),
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
  /** Whether changes are copied there each hour, or why not; null of the shop's own folder. `slow`: the last took too long. */
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
