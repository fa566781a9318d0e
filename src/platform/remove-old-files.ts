// Removing what nothing uses any more from a folder of temporary files.
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** The files that were last written before `before`. A folder that does not exist has none. */
export async function removeOldFiles(folder: string, before: Date): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found && found.mtime < before) await rm(path, { force: true })
  }
}
