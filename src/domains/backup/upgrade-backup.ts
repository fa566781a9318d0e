// The backup that `lectern upgrade` has just made. The start that follows migrates the data without another one, since
// requests wait for it.
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hourMs } from '#contract/durations.ts'

/** A start that comes later makes its own. */
const maxAgeMs = hourMs

const fileIn = (dataDir: string) => join(dataDir, 'upgrade-backup')

export async function saveUpgradeBackup(dataDir: string, name: string): Promise<void> {
  await writeFile(fileIn(dataDir), name, { mode: 0o600 })
}

/** Its name, also where no such backup is there. */
export async function readUpgradeBackup(dataDir: string): Promise<string | undefined> {
  const file = fileIn(dataDir)
  const age = await stat(file).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => Infinity,
  )
  return age < maxAgeMs ? await readFile(file, 'utf8') : undefined
}

export async function removeUpgradeBackup(dataDir: string): Promise<void> {
  await rm(fileIn(dataDir), { force: true })
}
