// The places that a backup is written to at once: one that fails is left out, and the others go on.
import { failureReason } from '#platform/errors.ts'
import type { BackupStore } from './backup-store.ts'

export type StoreSet = ReturnType<typeof createStoreSet>

export function createStoreSet(stores: readonly BackupStore[]) {
  const remaining = new Set(stores)
  const failures = new Map<BackupStore, string>()
  return {
    failures,
    /** Throws what the last remaining store throws. */
    async each(run: (store: BackupStore) => Promise<void>) {
      for (const store of remaining) {
        try {
          await run(store)
        } catch (error) {
          if (remaining.size === 1) throw error
          remaining.delete(store)
          failures.set(store, failureReason(error))
        }
      }
    },
  }
}
