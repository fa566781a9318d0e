// A lock on a folder, which one process holds. SQLite's file lock is the kernel's: it cannot outlive its process, not even
// after kill -9, which takes a moment.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const SQLITE_BUSY = 5
const killMs = 1_000

export class FolderInUse extends Error {}

/** Throws `FolderInUse`, in these words, where another process holds the lock. */
export function lockFolder(folder: string, inUse: string): Disposable {
  const lock = new DatabaseSync(join(folder, 'lock'), { timeout: killMs })
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (cause) {
    lock.close()
    if (!(cause instanceof Error && 'errcode' in cause && cause.errcode === SQLITE_BUSY)) throw cause
    throw new FolderInUse(inUse, { cause })
  }
}
