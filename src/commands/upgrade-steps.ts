// The steps of an upgrade that touch the shop's data. They run as the shop's user: root reads and writes nothing that
// this user could have replaced by a link.
import { link, mkdir, readdir, copyFile, rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { joinEmbeddedPostgres } from '@lectern/postgres'
import {
  bringBackDatabase,
  dropKeptDatabase,
  keepDatabase,
  readDatabaseBytes,
} from '#domains/backup/side-databases.ts'
import { createLog } from '#platform/log.ts'
import { isSecretFile } from '#platform/secret.ts'
import { loadEnvFile, readConfig, type Config } from '../config.ts'
import { copyOf, runAsShop } from './server.ts'

const steps: Record<string, (config: Config) => Promise<void>> = {
  facts: printFacts,
  copy: copyFiles,
  'remove-copy': removeCopy,
  keep: (config) => withDatabase(config, keepDatabase),
  back: (config) => withDatabase(config, bringBackDatabase),
  drop: (config) => withDatabase(config, dropKeptDatabase),
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
  drain_seconds: z.number(),
})
export type ShopFacts = z.output<typeof shopFacts>

export async function readFacts(release: string): Promise<ShopFacts> {
  return shopFacts.parse(JSON.parse(await runAsShop(release, ['upgrade', '--step', 'facts'])))
}

async function printFacts(config: Config): Promise<void> {
  await withDatabase(config, async (url) => {
    const facts: ShopFacts = {
      data_dir: config.dataDir,
      database_bytes: await readDatabaseBytes(url),
      drain_seconds: config.drainSeconds,
    }
    console.log(JSON.stringify(facts))
  })
}

/** Files and backups are the same ones under a second name, where the disk allows that: neither is changed in place. */
async function copyFiles({ dataDir }: Config): Promise<void> {
  await removeCopy({ dataDir })
  const { folder } = copyOf(dataDir)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(dataDir))
    if (isSecretFile(name) || name === 'erased-ids.txt')
      await copyFile(join(dataDir, name), join(folder, name))
  for (const name of ['files', 'backups']) await linkFolder(join(dataDir, name), join(folder, name))
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

async function withDatabase(config: Config, run: (url: string) => Promise<void>): Promise<void> {
  const { dataDir, databaseUrl } = config
  await using undo = new AsyncDisposableStack()
  const log = createLog('error')
  await run(databaseUrl ?? undo.use(await joinEmbeddedPostgres({ dataDir, log })).url)
}
