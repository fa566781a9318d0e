// The steps of an upgrade that touch the shop's data. They run as the shop's user: root reads and writes nothing that
// this user could have replaced by a link.
import { existsSync } from 'node:fs'
import { link, mkdir, readdir, copyFile, rm, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { joinEmbeddedPostgres } from '@lectern/postgres'
import { readDatabaseBytes } from '#domains/backup/side-databases.ts'
import { openBackupTargets } from '#domains/backup/backup-targets.ts'
import { saveUpgradeBackup } from '#domains/backup/upgrade-backup.ts'
import { openClient } from '#platform/db/client.ts'
import { anyRelease, isOlderRelease } from '#platform/db/oldest-release.ts'
import { readOldestRelease, readServerVersion } from '#platform/db/migrate.ts'
import { readQueueSchema } from '#platform/queue.ts'
import { createLog } from '#platform/log.ts'
import { isSecretFile } from '#platform/secret.ts'
import { loadEnvFile, readConfig, type Config } from '../config.ts'
import { copyOf, runAsShop } from './server.ts'

const steps: Record<string, (config: Config) => Promise<void>> = {
  facts: printFacts,
  copy: copyFiles,
  'remove-copy': removeCopy,
  'save-backup': saveBackup,
}

export async function runStep(name: string): Promise<void> {
  const step = Object.hasOwn(steps, name) ? steps[name] : undefined
  if (!step) throw new Error(`There is no step ${name}.`)
  if (process.getuid?.() === 0) throw new Error('A step of an upgrade runs as the user of the shop.')
  loadEnvFile()
  await step(readConfig())
}

const shopFacts = z.object({
  data_dir: z.string(),
  database_bytes: z.number(),
  /** The major version; null for one that the shop does not bring. */
  postgres: z.number().nullable(),
  queue_schema: z.number(),
  oldest_release: z.string().regex(/^\d+(\.\d+)*$/),
})
export type ShopFacts = z.output<typeof shopFacts>

export async function readFacts(release: string, env: Record<string, string> = {}): Promise<ShopFacts> {
  return shopFacts.parse(JSON.parse(await runAsShop(release, ['upgrade', '--step', 'facts'], env)))
}

async function printFacts(config: Config): Promise<void> {
  const { dataDir, databaseUrl } = config
  await using undo = new AsyncDisposableStack()
  const log = createLog('error')
  const url = databaseUrl ?? undo.use(await joinEmbeddedPostgres({ dataDir, log })).url
  await using client = await openClient(url)
  const facts: ShopFacts = {
    data_dir: dataDir,
    database_bytes: await readDatabaseBytes(url),
    postgres: databaseUrl ? null : (await readServerVersion(client)).major,
    queue_schema: await readQueueSchema(client),
    oldest_release: (await readOldestRelease(client)) ?? anyRelease,
  }
  console.log(JSON.stringify(facts))
}

/** Obstacles keep a release from starting on the data again once the next one has changed them; there may be none. */
export function findObstacles(
  { release, before }: { release: string; before: ShopFacts },
  after: ShopFacts,
): string[] {
  const obstacles: string[] = []
  if (isOlderRelease(release, after.oldest_release))
    obstacles.push(`removes what releases before ${after.oldest_release} use`)
  if (before.postgres !== null && before.postgres !== after.postgres)
    obstacles.push(`brings PostgreSQL ${after.postgres}`)
  if (before.queue_schema !== after.queue_schema) obstacles.push('brings another schema of the job queue')
  return obstacles
}

async function saveBackup(config: Config): Promise<void> {
  const newest = (await openBackupTargets(config)[0].list()).toSorted().at(-1)
  if (newest) await saveUpgradeBackup(config.dataDir, newest)
}

/** Files and backups are the same ones under a second name, where the disk allows that: neither is changed in place. */
async function copyFiles({ dataDir }: Config): Promise<void> {
  await removeCopy({ dataDir })
  const { folder } = copyOf(dataDir)
  await mkdir(join(folder, 'postgres'), { recursive: true, mode: 0o700 })
  for (const name of await readdir(dataDir))
    if (isSecretFile(name) || name === 'erased-ids.txt')
      await copyFile(join(dataDir, name), join(folder, name))
  for (const name of ['files', 'backups']) await linkFolder(join(dataDir, name), join(folder, name))
  // The programs of an older PostgreSQL, where the next release needs them.
  const programs = 'postgres/node_modules'
  if (existsSync(join(dataDir, programs))) await symlink(join(dataDir, programs), join(folder, programs))
}

async function linkFolder(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const target = join(to, relative(from, path))
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    await link(path, target).catch(() => copyFile(path, target))
  }
}

async function removeCopy({ dataDir }: Pick<Config, 'dataDir'>): Promise<void> {
  await rm(copyOf(dataDir).folder, { recursive: true, force: true })
}
