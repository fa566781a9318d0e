// Who may read what the shop stores on this machine: only the user that it runs as.
import { chmodSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** What the shop makes in DATA_DIR; the folder itself may be another user's, or hold other things. */
export const dataFolders = ['backups', 'files', 'outbox', 'outgoing', 'postgres', 'uploads']
const forOthers = 0o077

/** For all that this process and its children make from now on, and for folders of ours that were made wider before. */
export function restrictDataFolder(dataDir: string): void {
  process.umask(forOthers)
  for (const name of dataFolders) {
    const folder = join(dataDir, name)
    const found = statSync(folder, { throwIfNoEntry: false })
    if (!found?.isDirectory() || found.uid !== process.getuid?.()) continue
    if ((found.mode & forOthers) !== 0) chmodSync(folder, 0o700)
  }
}
