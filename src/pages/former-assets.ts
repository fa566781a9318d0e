// The assets of builds that ran before this one: a tab that was open during an upgrade still asks for them.
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { dayMs } from '#contract/durations.ts'
import { unlessMissing } from '#platform/errors.ts'

const retentionMs = 7 * dayMs
const unfinishedMark = '.new-'

/**
 * Copies the assets of this build to `DATA_DIR/assets/<build>` and deletes what was replaced more than a week ago.
 * Resolves to the files of the other builds, each under its name as in `/assets/<name>`.
 */
export async function keepAssets(
  assets: string,
  dataDir: string,
  now = new Date(),
): Promise<Map<string, string>> {
  const folder = join(dataDir, 'assets')
  const names = await readdir(assets)
  const build = createHash('sha256').update(names.toSorted().join()).digest('hex').slice(0, 16)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await copyOnce(assets, join(folder, build))
  const currentFile = join(folder, 'current')
  const current = (await readFile(currentFile, 'utf8').catch(unlessMissing)) ?? ''
  if (current !== build) {
    // The former build counts as replaced from now on.
    if (current) await utimes(join(folder, current), now, now).catch(unlessMissing)
    await writeFile(currentFile, build, { mode: 0o600 })
  }
  const files = new Map<string, string>()
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (!entry.isDirectory() || entry.name === build) continue
    const result = await stat(path).catch(unlessMissing)
    if (!result) continue
    if (now.getTime() - result.mtimeMs > retentionMs) await rm(path, { recursive: true, force: true })
    else if (!entry.name.includes(unfinishedMark))
      for (const name of await readdir(path)) files.set(name, join(path, name))
  }
  return files
}

/** Whole or not at all: a start may be killed in the middle, and another process may start at the same time. */
async function copyOnce(from: string, to: string): Promise<void> {
  const isThere = () => stat(to).catch(unlessMissing)
  if (await isThere()) return
  const unfinished = to + unfinishedMark + randomUUID()
  await mkdir(unfinished, { mode: 0o700 })
  for (const name of await readdir(from))
    await writeFile(join(unfinished, name), await readFile(join(from, name)), { mode: 0o600 })
  await rename(unfinished, to).catch(async (error: unknown) => {
    await rm(unfinished, { recursive: true })
    if (!(await isThere())) throw error
  })
}
