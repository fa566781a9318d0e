// Files and folders in DATA_DIR that nothing uses any more. A running shop deletes most of them itself, by the same ages.
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { momentOf } from '#features/backup/left-databases.ts'
import { retentionDays } from '#features/mails/sweep-mails.ts'
import { incomingFolder } from '#platform/folder-storage.ts'
import { outboxFolder } from '#platform/outbox.ts'
import { outgoingFolder, outgoingMs } from '#platform/outgoing-files.ts'
import { abandonedMs } from '#platform/uploads.ts'

const dayMs = 86_400_000

export type LeftFile = { path: string; what: string; bytes: number; at: Date }

/** Of a power cut or a killed process: as old as nothing under way can be. */
const partMs = 2 * dayMs

export async function listLeftFiles(dataDir: string, now: Date): Promise<LeftFile[]> {
  const kinds = [
    { folder: join(dataDir, 'uploads'), what: 'upload that nobody came back for', ms: abandonedMs },
    { folder: outgoingFolder(dataDir), what: 'copy on its way to a bucket', ms: outgoingMs },
    { folder: join(dataDir, 'files', incomingFolder), what: 'part of a file', ms: partMs },
    { folder: join(dataDir, 'backups', incomingFolder), what: 'part of a backup', ms: partMs },
    { folder: outboxFolder({ dataDir }), what: 'unsent mail', ms: retentionDays * dayMs },
    { folder: dataDir, what: 'part of a secret', ms: partMs, pattern: /^secret(\.next)?\.\d+\.new$/ },
  ]
  const found: LeftFile[] = []
  for (const { folder, what, ms, pattern } of kinds)
    for (const { at, ...file } of await listFolder(folder, pattern))
      if (now.getTime() - at.getTime() > ms) found.push({ ...file, at, what })
  return found
}

async function listFolder(folder: string, pattern = /^/): Promise<Omit<LeftFile, 'what'>[]> {
  const found: Omit<LeftFile, 'what'>[] = []
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    const file = pattern.test(name) ? await stat(path).catch(() => undefined) : undefined
    if (file?.isFile()) found.push({ path, bytes: file.size, at: file.mtime })
  }
  return found
}

const formerCluster = /^cluster-\d+-(\d{14})$/

/** The clusters that upgrades of the embedded PostgreSQL have left: `cluster` is the shop's own. */
export async function listLeftClusters(dataDir: string): Promise<LeftFile[]> {
  const folder = join(dataDir, 'postgres')
  const found: LeftFile[] = []
  for (const name of await readdir(folder).catch(() => [])) {
    const [, moment] = formerCluster.exec(name) ?? []
    if (!moment) continue
    const path = join(folder, name)
    found.push({
      path,
      what: 'PostgreSQL before an upgrade',
      bytes: await sizeOfFolder(path),
      at: momentOf(moment),
    })
  }
  return found
}

async function sizeOfFolder(folder: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile())
      bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0
  return bytes
}

export const deleteLeft = ({ path }: Pick<LeftFile, 'path'>) => rm(path, { recursive: true, force: true })
