// The command `lectern check`: tries the settings, the data and everything that the shop connects to.
import { parseArgs } from 'node:util'
import { joinEmbeddedPostgres } from '@lectern/postgres'
import { unknown, ok, warn } from '#contract/checks.ts'
import { checkBackups, checkDistance, checkRehearsal } from '#domains/backup/backup-checks.ts'
import { openBackupTargets, type BackupTargets } from '#domains/backup/backup-targets.ts'
import { readKeylessFacts, saleModeOf } from '#domains/catalog/sale-mode.ts'
import { checkMail } from '#domains/mail/mail-check.ts'
import { checkAddress } from '#domains/overview/address-check.ts'
import { checkCheckouts, checkPayments, checkWebhook } from '#domains/payments/payment-checks.ts'
import { paymentMode } from '#platform/stripe/payments.ts'
import { findFingerprint } from '#platform/secrets.ts'
import { mergeSettings, nothingStored, readSettings } from '#platform/stored-settings.ts'
import { openDatabase, type Database } from '#platform/db/client.ts'
import { compareSchema } from '#platform/db/migrate.ts'
import { createLog } from '#platform/log.ts'
import { outgoingFolder, restrictDataFolder } from '#platform/data-folders.ts'
import { existingSecrets, findSecret } from '#platform/secret.ts'
import { openStorage, openStorageAt } from '#platform/open-storage.ts'
import {
  loadEnvFile,
  readConfig,
  secretsIn,
  type Config,
  type SettingValues,
  describeMisspelt,
} from '../config.ts'
import {
  checkCertificate,
  checkClock,
  checkFiles,
  checkSchema,
  checkServer,
  requireData,
  checkDisk,
  checkRights,
  isOfAnotherUser,
  checkWriting,
  openReport,
  type Report,
} from './checks.ts'
import { fail } from './shell.ts'

async function main(): Promise<boolean> {
  const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } })
  const report = openReport({ isJson: values.json })
  const config = await readSettingsFile(report)
  if (config) await checkShop(config, report)
  report.end()
  return report.isAllGood()
}

async function readSettingsFile(report: Report): Promise<Config | undefined> {
  let config: Config | undefined
  await report.add('Settings', () => {
    loadEnvFile()
    report.hide(secretsIn())
    config = readConfig()
    const [misspelt] = config.misspelt
    if (!misspelt) return ok('are good')
    return warn(config.misspelt.map(describeMisspelt).join(' '), 'Correct the names.')
  })
  return config
}

async function checkShop(config: Config, report: Report): Promise<void> {
  const { dataDir } = config
  await using undo = new AsyncDisposableStack()
  await report.add('Data folder', () => checkRights(dataDir))
  await report.add('Disk', () => checkDisk(dataDir))
  let database: Database | undefined
  await report.add('Database', async () => {
    database = await openData(config, undo)
    return checkServer(database)
  })
  const settings = { get: await readStored(config, database, report) }
  const { mail, payments, backups } = settings.get()
  report.hide([mail.password, payments.secret_key, backups.secret_key, backups.passphrase])
  const { site_url, time_zone } = settings.get().shop
  if (database) await checkData(config, database, { report, time_zone })
  else await report.add('Data', () => unknown('not looked at', 'First make the database reachable.'))
  const places = openBackupTargets(config, backups)
  const writing = isOfAnotherUser(dataDir) ? [] : writtenTargets(config, places)
  for (const { name, setting, storage } of writing)
    await report.add(name, () => checkWriting(storage, setting))
  await checkSaving(places, database, report)
  const services = { config, settings }
  await report.add('Mail', () => checkMail(services))
  const db = database && (await isReadable(database)) ? database.db : undefined
  const advice = 'Look whether this machine reaches api.stripe.com.'
  await report.add('Payments', async () => {
    if (!db && paymentMode(settings) === 'none')
      return unknown('not looked at', 'First make the database reachable.')
    const is_own = db ? (await readKeylessFacts(db)).is_own : true
    return checkPayments(services, saleModeOf(services, is_own))
  })
  if (db) await report.add('Checkout', () => checkCheckouts(services, db), advice)
  await report.add('Webhook', () => checkWebhook(services), advice)
  const { check, proxy } = await checkAddress(settings.get().shop, existingSecrets(config))
  await report.add('Address', () => check)
  if (proxy) await report.add('Proxy', () => proxy)
  if (site_url.startsWith('https:'))
    await report.add('HTTPS', () => checkCertificate(site_url), 'Is the proxy in front of the shop running?')
}

async function openData(config: Config, undo: AsyncDisposableStack): Promise<Database> {
  const { dataDir, databaseUrl } = config
  requireData(config)
  restrictDataFolder(dataDir)
  const log = createLog('error')
  const url = databaseUrl ?? undo.use(await joinEmbeddedPostgres({ dataDir, log })).url
  return undo.use(openDatabase(url, { max: 1 }))
}

type DataChecks = { report: Report; time_zone: string }

async function checkData(
  config: Config,
  database: Database,
  { report, time_zone }: DataChecks,
): Promise<void> {
  await report.add('Version', () => checkSchema(database))
  await report.add('Clock', () => checkClock(database, time_zone))
  await report.add('Files', () => checkFiles(openStorage(config), database), 'Look at STORAGE_URL.')
}

function writtenTargets({ storageUrl, backup, dataDir }: Config, places: BackupTargets) {
  const open = (url: string) => openStorageAt(url, outgoingFolder(dataDir))
  return [
    ...(storageUrl ? [{ name: 'Storage', setting: 'STORAGE_URL', storage: open(storageUrl) }] : []),
    ...(backup.url ? [{ name: 'Backup place', setting: 'BACKUP_URL', storage: open(backup.url) }] : []),
    ...places
      .filter(({ isByScreen }) => isByScreen)
      .map(({ storage }) => ({ name: 'Backup place', setting: 'Backups in the admin area', storage })),
  ]
}

async function checkSaving(
  places: BackupTargets,
  database: Database | undefined,
  report: Report,
): Promise<void> {
  const now = new Date()
  const db = database && (await isReadable(database)) ? database.db : undefined
  for (const [nth, place] of places.entries()) {
    const mayBeElsewhere = nth === 0 && places.length > 1
    const check = () => checkBackups(place, { db, now, mayBeElsewhere })
    await report.add('Backup', check, 'Look at BACKUP_URL and its keys, or at Backups in the admin area.')
    if (db) await report.add('Rehearsal', () => checkRehearsal(db, place))
  }
  await report.add('Backup elsewhere', () => checkDistance(places))
}

const isReadable = async ({ pool }: Database) =>
  ['same', 'newer'].includes(await compareSchema(pool).catch(() => 'none'))

async function readStored(
  config: Config,
  database: Database | undefined,
  report: Report,
): Promise<() => SettingValues> {
  let values = mergeSettings(config, nothingStored)
  if (!database || !(await isReadable(database))) return () => values
  try {
    const fingerprint = await findFingerprint(database.db)
    const secret = fingerprint && findSecret(existingSecrets(config), fingerprint)
    values = mergeSettings(config, await readSettings(database.db, secret))
  } catch (error) {
    await report.add('Secret', () => {
      throw error
    })
  }
  return () => values
}

process.exit((await main().catch(fail)) ? 0 : 1)
