// Copies of files on their way to a bucket. A process that is killed leaves its copies here.
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { removeOldFiles } from './remove-old-files.ts'

export const outgoingMs = 24 * 3_600_000

export function outgoingFolder(dataDir: string): string {
  return join(dataDir, 'outgoing')
}

type Needs = { config: Pick<Config, 'dataDir'>; clock: () => Date }

export async function sweepOutgoing({ config, clock }: Needs): Promise<void> {
  await removeOldFiles(outgoingFolder(config.dataDir), new Date(clock().getTime() - outgoingMs))
}
