import { join } from 'node:path'
import type { Config } from '../config.ts'
import { readdir, rm, stat } from 'node:fs/promises'

export const outgoingMs = 24 * 3_600_000

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
