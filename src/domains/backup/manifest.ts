// The manifest of a backup: its tables, files and sums. It is written last, so that a backup with a manifest is whole.
import { createHash } from 'node:crypto'
import { z } from 'zod'

/** Raised when a newer shop writes what an older one cannot read. */
export const backupFormat = 1

/** It is read into memory. That of a shop has some 200 bytes for each file. */
export const maxManifestBytes = 8 * 1024 * 1024

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const count = z.number().int().min(0)

const table = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  rows: count,
  /** The hash is that of the rows as COPY writes them, in text. */
  sha256,
  /** The rows, compressed with gzip; its size in bytes. */
  object: sha256,
  size: count,
  /** The rows have this size before they are compressed. */
  bytes: count,
})

const file = z.object({
  name: z.string(),
  size: count,
  sha256,
})

const sums = z.object({
  orders: count,
  completed: count,
  revenue: z.string(),
  refunded: z.string(),
  users: count,
})

/** The manifest of any version says this. */
export const manifestHead = z.looseObject({ format: z.number(), schema_version: count })

export const manifest = z.object({
  format: z.literal(backupFormat),
  created_at: z.iso.datetime(),
  version: z.string(),
  /** The database's version is the time of the newest migration, in milliseconds since 1970. */
  schema_version: count,
  postgres_version: z.string(),
  tables: z.array(table),
  sequences: z.array(z.object({ name: z.string(), last_value: z.string(), is_called: z.boolean() })),
  files: z.array(file),
  sums,
  /** An encrypted backup alone has it. */
  secret: z.string().optional(),
})

const withChecksum = z.looseObject({ checksum: z.string() })

export function formatManifest(written: Manifest): string {
  return JSON.stringify({ ...written, checksum: checksumOf(written) }, null, 2)
}

export function isManifestIntact(content: unknown): boolean {
  const parsed = withChecksum.safeParse(content)
  if (!parsed.success) return false
  const { checksum, ...fields } = parsed.data
  return checksum === checksumOf(fields)
}

function checksumOf(fields: object): string {
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex')
}

export type Manifest = z.output<typeof manifest>
export type TableEntry = Manifest['tables'][number]
export type FileEntry = Manifest['files'][number]
export type Sums = Manifest['sums']
