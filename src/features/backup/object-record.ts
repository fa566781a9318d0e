// What the shop knows of the objects in a place: the checksums of their encrypted bytes, and which are damaged.
import { and, eq } from 'drizzle-orm'
import type { Db } from '#platform/db/client.ts'
import { backup_objects } from './schema.ts'

type ObjectChecksum = { sha256: string; size: number }

export type ObjectRecord = {
  /** Is to be written again. */
  isDamaged(path: string): boolean
  /** No checksum is stored of it. */
  isUnchecked(path: string): boolean
  /** By path; objects that were written before checksums were stored have none. */
  readChecksums(): Promise<Map<string, ObjectChecksum>>
  /** Ends its damage. */
  addChecksum(path: string, checksum: ObjectChecksum): Promise<void>
  addDamage(path: string): Promise<void>
  remove(path: string): Promise<void>
}

/** For commands that only read, or have no database of the shop. */
export const noRecord: ObjectRecord = {
  isDamaged: () => false,
  isUnchecked: () => false,
  readChecksums: async () => new Map(),
  addChecksum: async () => undefined,
  addDamage: async () => undefined,
  remove: async () => undefined,
}

/** `place` is its label. */
export async function openObjectRecord(db: Db, place: string): Promise<ObjectRecord> {
  const isOfPlace = eq(backup_objects.place, place)
  const found = await db
    .select({ path: backup_objects.path, sha256: backup_objects.sha256, at: backup_objects.damaged_at })
    .from(backup_objects)
    .where(isOfPlace)
  const damaged = new Set(found.flatMap(({ path, at }) => (at ? [path] : [])))
  const checked = new Set(found.flatMap(({ path, sha256 }) => (sha256 === null ? [] : [path])))

  async function write(path: string, values: Partial<typeof backup_objects.$inferInsert>) {
    await db
      .insert(backup_objects)
      .values({ place, path, ...values })
      .onConflictDoUpdate({ target: [backup_objects.place, backup_objects.path], set: values })
  }

  return {
    isDamaged: (path) => damaged.has(path),
    isUnchecked: (path) => !checked.has(path),
    async readChecksums() {
      const rows = await db.select().from(backup_objects).where(isOfPlace)
      return new Map(
        rows.flatMap(({ path, sha256, size }) =>
          sha256 === null || size === null ? [] : [[path, { sha256, size }]],
        ),
      )
    },
    async addChecksum(path, { sha256, size }) {
      await write(path, { sha256, size, damaged_at: null })
      damaged.delete(path)
      checked.add(path)
    },
    async addDamage(path) {
      await write(path, { damaged_at: new Date() })
      damaged.add(path)
    },
    async remove(path) {
      await db.delete(backup_objects).where(and(isOfPlace, eq(backup_objects.path, path)))
      damaged.delete(path)
      checked.delete(path)
    },
  }
}
