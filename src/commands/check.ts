// `lectern check`: whether the shop can run and be reached as it is set up. Works beside a running shop.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { joinEmbeddedPostgres } from '@lectern/postgres'
import { listFiles } from '#features/backup/tables.ts'
import { mergeSettings, nothingStored, readSettings } from '#features/settings/stored-settings.ts'
import { openDatabase, type Database } from '#platform/db/client.ts'
import { compareSchema, readServerVersion } from '#platform/db/database-version.ts'
import { failureReason } from '#platform/failure-reason.ts'
import { findAddressFault } from '#platform/http/own-address.ts'
import { createLog } from '#platform/log.ts'
import { keepDataPrivate } from '#platform/private-data.ts'
import { existingSecrets } from '#platform/known-secrets.ts'
import { openStorage } from '#platform/open-storage.ts'
import { loadEnvFile, readConfig, type Config } from '../config.ts'
import { fail } from './shell.ts'

let isAllGood = true

async function main(): Promise<void> {
  const config = await report('Settings', async () => {
    loadEnvFile()
    return { value: readConfig(), says: 'are good' }
  })
  if (!config) return
  await using undo = new AsyncDisposableStack()
  const database = await report('Database', () => openData(config, undo))
  const siteUrl = await findSiteUrl(config, database)
  if (database) {
    await report('Version', () => checkSchema(database))
    await report('Files', () => checkFiles(config, database))
    await report('Address', () => checkAddress(config, siteUrl))
  }
  await report('HTTPS', () => checkEncryption(siteUrl))
}

type Finding<Value = unknown> = { value?: Value; says: string }

/** Prints one line. Undefined where `work` throws. */
async function report<Value>(name: string, work: () => Promise<Finding<Value>>): Promise<Value | undefined> {
  try {
    const { value, says } = await work()
    console.log(`ok     ${name}: ${says}`)
    return value
  } catch (error) {
    isAllGood = false
    console.log(`wrong  ${name}: ${failureReason(error).replaceAll(/\s*\n\s*/g, ' ')}`)
    return undefined
  }
}

/** Makes nothing: a shop that was never started has no database and no secret. */
async function openData(config: Config, undo: AsyncDisposableStack): Promise<Finding<Database>> {
  const { dataDir, databaseUrl } = config
  if (!databaseUrl && !existsSync(join(dataDir, 'postgres/cluster'))) {
    throw new Error(`there is none in ${dataDir} yet; \`lectern start\` makes it`)
  }
  keepDataPrivate(dataDir)
  const log = createLog('error')
  const url = databaseUrl ?? undo.use(await joinEmbeddedPostgres({ dataDir, log })).url
  const value = undo.use(openDatabase(url, { max: 1 }))
  const { version, isTooOld } = await readServerVersion(value.pool)
  if (isTooOld) throw new Error(`PostgreSQL ${version} is too old`)
  return { value, says: `PostgreSQL ${version} is reachable` }
}

async function checkSchema({ pool }: Database): Promise<Finding> {
  const schema = await compareSchema(pool)
  if (schema === 'newer') throw new Error('the data are of a newer version of Lectern: use that one')
  if (schema === 'same') return { says: 'the data are of this version' }
  return { says: 'the next start brings the data to this version' }
}

async function checkFiles(config: Config, { pool }: Database): Promise<Finding> {
  if ((await compareSchema(pool)) === 'none') return { says: 'there are none yet' }
  const storage = openStorage(config)
  const names = await listFiles(pool)
  const missing: string[] = []
  for (const name of names) if (!(await storage.stat(name))) missing.push(name)
  if (missing.length > 0)
    throw new Error(`${missing.length} of ${names.length} are missing: ${missing.join(', ')}`)
  return { says: `all ${names.length} are present` }
}

/** Data of another version may have no settings. */
async function findSiteUrl(config: Config, database: Database | undefined): Promise<string> {
  const isReadable = database && (await compareSchema(database.pool)) === 'same'
  const stored = isReadable ? await readSettings(database.db, noSecrets) : nothingStored
  return mergeSettings(config, stored).shop.site_url
}

/** The address is none. */
const noSecrets = {
  find: () => {
    throw new Error('No secret is opened here.')
  },
}

async function checkAddress(config: Config, siteUrl: string): Promise<Finding> {
  const fault = await findAddressFault(siteUrl, existingSecrets(config))
  if (fault) throw new Error(`${fault}. Is the shop running?`)
  return { says: `${siteUrl} leads to this shop` }
}

async function checkEncryption(siteUrl: string): Promise<Finding> {
  if (!siteUrl.startsWith('https:')) throw new Error(`${siteUrl} does not begin with https`)
  return { says: `${siteUrl} begins with https` }
}

await main().catch(fail)
process.exit(isAllGood ? 0 : 1)
