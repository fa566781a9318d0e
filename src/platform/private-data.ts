import { chmodSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** DATA_DIR itself may be another user's. */
export const dataFolders = ['backups', 'files', 'outbox', 'outgoing', 'postgres', 'restore', 'uploads']
const forOthers = 0o077

export function restrictDataFolder(dataDir: string): void {
  process.umask(forOthers)
  for (const name of dataFolders) {
    const folder = join(dataDir, name)
    const result = statSync(folder, { throwIfNoEntry: false })
    if (!result?.isDirectory() || result.uid !== process.getuid?.()) continue
    if ((result.mode & forOthers) !== 0) chmodSync(folder, 0o700)
  }
}
