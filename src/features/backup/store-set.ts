// Several stores that get the same backup: one that fails is left out of the rest.
import { failureReason } from '#platform/failure-reason.ts'
import type { BackupStore } from './backup-store.ts'

export type StoreSet = {
  /** One after another. Throws what the last remaining store throws. */
  each(run: (store: BackupStore) => Promise<void>): Promise<void>
  /** Why a store was left out. */
  failures: Map<BackupStore, string>
}

export function createStoreSet(stores: readonly BackupStore[]): StoreSet {
  const remaining = new Set(stores)
  const failures = new Map<BackupStore, string>()
  return {
    failures,
    async each(run) {
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
