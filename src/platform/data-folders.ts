// The folders of DATA_DIR: whom they are open to, and what waits to leave them.
import { chmodSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { dayMs } from '#contract/durations.ts'
import type { Config } from '../config.ts'
import { readdir, rm, stat } from 'node:fs/promises'

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

export const outgoingMs = dayMs

export function outgoingFolder(dataDir: string): string {
  return join(dataDir, 'outgoing')
}

type Dependencies = { config: Pick<Config, 'dataDir'>; clock: () => Date }

export async function sweepOutgoing({ config, clock }: Dependencies): Promise<void> {
  await removeOldFiles(outgoingFolder(config.dataDir), new Date(clock().getTime() - outgoingMs))
}

export async function removeOldFiles(folder: string, before: Date): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    const result = await stat(path).catch(() => undefined)
    if (result && result.mtime < before) await rm(path, { force: true })
  }
}
