// What the shop knows of the objects in a place: the checksums of their encrypted bytes, and which are damaged.
import { and, eq, isNotNull } from 'drizzle-orm'
import type { Db } from '#platform/db/client.ts'
import { backup_objects } from './schema.ts'

type ObjectChecksum = { sha256: string; size: number }

export type ObjectRecord = {
  /** Is to be written again. */
  isDamaged(path: string): boolean
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
  readChecksums: async () => new Map(),
  addChecksum: async () => undefined,
  addDamage: async () => undefined,
  remove: async () => undefined,
}

/** `place` is its label. */
export async function openObjectRecord(db: Db, place: string): Promise<ObjectRecord> {
  const isOfPlace = eq(backup_objects.place, place)
  const found = await db
    .select({ path: backup_objects.path })
    .from(backup_objects)
    .where(and(isOfPlace, isNotNull(backup_objects.damaged_at)))
  const damaged = new Set(found.map(({ path }) => path))

  async function write(path: string, values: Partial<typeof backup_objects.$inferInsert>) {
    await db
      .insert(backup_objects)
      .values({ place, path, ...values })
      .onConflictDoUpdate({ target: [backup_objects.place, backup_objects.path], set: values })
  }

  return {
    isDamaged: (path) => damaged.has(path),
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
    },
    async addDamage(path) {
      await write(path, { damaged_at: new Date() })
      damaged.add(path)
    },
    async remove(path) {
      await db.delete(backup_objects).where(and(isOfPlace, eq(backup_objects.path, path)))
      damaged.delete(path)
    },
  }
}
