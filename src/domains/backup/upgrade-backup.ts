// The backup that `lectern upgrade` has just made. The start that follows migrates the data without another one, since
// requests wait for it.
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hourMs } from '#contract/durations.ts'
import { momentOf } from './backup-store.ts'

/** Sales since an older one would be lost on the way back: the start makes its own. */
const maxAgeMs = hourMs

const fileIn = (dataDir: string) => join(dataDir, 'upgrade-backup')

export async function saveUpgradeBackup(dataDir: string, name: string): Promise<void> {
  await writeFile(fileIn(dataDir), name, { mode: 0o600 })
}

/** Its name, also where no such backup is there. */
export async function readUpgradeBackup(dataDir: string): Promise<string | undefined> {
  const name = await readFile(fileIn(dataDir), 'utf8').catch(() => '')
  return Date.now() - Date.parse(momentOf(name)) < maxAgeMs ? name : undefined
}

export async function removeUpgradeBackup(dataDir: string): Promise<void> {
  await rm(fileIn(dataDir), { force: true })
}
