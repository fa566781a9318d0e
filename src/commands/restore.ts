// The command `lectern restore`: replaces the data of the shop by those of a backup.
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { isShopRunning } from '#domains/accounts/secrets.ts'
import { findFingerprint } from '#platform/secrets.ts'
import { readFingerprint } from '#domains/backup/backup-facts.ts'
import { openBackupTargets } from '#domains/backup/backup-targets.ts'
import type { BackupStore } from '#domains/backup/backup-store.ts'
import { adoptSecret, prepareData, secretsFor } from '#domains/setup/prepare-data.ts'
import { addressOf, findBackup, type FoundBackup } from '#domains/backup/find-backup.ts'
import { restore } from '#domains/backup/restore.ts'
import { purchases } from '#tables/orders.ts'
import { queryRow } from '#platform/db/query.ts'
import { finishSearches, listRebuilt } from '#domains/payments/reconcile.ts'
import { recordIdentity } from '#domains/settings/shop-identity.ts'
import { openDatabase } from '#platform/db/client.ts'
import { failureReason } from '#platform/errors.ts'
import { createLog, type Log } from '#platform/log.ts'
import { restrictDataFolder } from '#platform/data-folders.ts'
import { existingSecrets, findSecret } from '#platform/secret.ts'
import { unconfirmedCopyOf } from '#platform/stripe/payments.ts'
import { openStorage } from '#platform/open-storage.ts'
import { joinEmbeddedPostgres } from '@lectern/postgres'
import { loadEnvFile, readConfig, type Config } from '../config.ts'
import { allJobs } from '../jobs.ts'
import { closeShop, openShop, type Shop } from '../shop.ts'
import { requireClosedSocket } from './server.ts'
import { fail } from './shell.ts'
import { usage } from './usage.ts'

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      yes: { type: 'boolean', default: false },
      'without-damaged-files': { type: 'boolean', default: false },
    },
  })
  const [source, backupName] = positionals
  if (!source) throw new Error(usage.restore)
  loadEnvFile()
  const config = readConfig()
  await requireClosedSocket(config)
  restrictDataFolder(config.dataDir)
  const address = addressOf(source)
  const backup = await findBackup(address, config.backup.passphrase, { source, wanted: backupName })
  const { name, manifest, store, storage: place } = backup

  await using undo = new AsyncDisposableStack()
  const log = createLog('error')
  const databaseUrl =
    config.databaseUrl ?? undo.use(await joinEmbeddedPostgres({ dataDir: config.dataDir, log })).url
  const orders = await countOrders(databaseUrl)
  console.log(plan(backup, orders))
  if (await isSecretMissing(config, backup)) console.log(secretIsMissing)
  if (!values.yes) throw new Error('Nothing was changed. Run it again with --yes to do so.')

  const clock = () => new Date()
  const started_at = clock()
  const { old, filesWritten, lost } = await restore(
    {
      databaseUrl,
      storage: openStorage(config),
      clock,
      prepare: (url, lost) =>
        prepareData(url, config, {
          name,
          manifest,
          place,
          run: { started_by: 'shell', started_at },
          lost,
          takeSecret: (db) => adoptSecret(db, config, manifest),
        }),
      otherStores: await openOtherStores(config),
      withoutDamagedFiles: values['without-damaged-files'],
    },
    store,
    manifest,
  )
  const before = orders === undefined ? '' : ` The data before are in the database ${old}.`
  console.log(`Restored, with ${filesWritten} files that were missing.${before}`)
  if (lost.length > 0) console.log([lostFiles, ...lost.map((each) => `  ${each}`)].join('\n'))
  console.log(await lookUpPayments(databaseUrl, config, log))
}

const lostFiles =
  'These files were damaged. Upload them again in the admin area; until then their products are not for sale, and their buyers are told:'

async function openOtherStores(config: Config): Promise<BackupStore[]> {
  const stores: BackupStore[] = []
  for (const place of openBackupTargets(config)) {
    // Opening a place where nothing is encrypted yet would make a key.
    const hasBackups = (await place.list().catch(() => [])).length > 0
    if (hasBackups)
      await place.open().then(
        (store) => stores.push(store),
        () => undefined,
      )
  }
  return stores
}

function plan({ name, manifest, others }: FoundBackup, orders: number | undefined): string {
  const { version, sums, files } = manifest
  const before =
    orders === undefined
      ? 'There are no data of a shop here yet.'
      : `The data here now (${orders} orders) stay, in a database beside.`
  return [
    `Backup ${name}, written by Lectern ${version}: ${sums.orders} orders, ${sums.users} users, ${files.length} files.`,
    ...(others.length > 0 ? [`Others here, to be restored by their names: ${others.join(', ')}.`] : []),
    before,
    'All users must sign in again. Mails that were waiting to be sent are not sent.',
    'Under another SITE_URL than the backup’s, no payments are taken until an admin has confirmed that this is the shop now.',
    'Discount codes that leave nothing to pay are paused until you resume them.',
    'Accounts that were erased since the backup are erased again.',
    'With Stripe, payments made since the backup are looked up there, and their purchases made again.',
  ].join('\n')
}

async function isSecretMissing(config: Config, { store, manifest }: FoundBackup): Promise<boolean> {
  const fingerprint = await readFingerprint(store, manifest)
  return fingerprint !== undefined && !findSecret(secretsFor(config, manifest.secret), fingerprint)
}

async function countOrders(databaseUrl: string): Promise<number | undefined> {
  await using database = openDatabase(databaseUrl, { max: 1 })
  if (await isShopRunning(database.db))
    throw new Error('The shop is running: stop it first, all its processes. Nothing was changed.')
  const shop = z.object({ has_shop: z.boolean() })
  const query = `select to_regclass('public.purchases') is not null as has_shop`
  if (!(await queryRow(database.pool, shop, query)).has_shop) return undefined
  return await database.db.$count(purchases)
}

async function lookUpPayments(databaseUrl: string, config: Config, log: Log): Promise<string> {
  await using database = openDatabase(databaseUrl, { max: 4 })
  const fingerprint = await findFingerprint(database.db)
  if (fingerprint && !findSecret(existingSecrets(config), fingerprint)) return secretIsMissing
  const services = await openShop(config, database, { log })
  try {
    await recordIdentity(services)
    const copied = unconfirmedCopyOf(services.settings)
    if (copied && services.payments.mode() !== 'none') return copyWords(copied, services)
    const payments = services.payments.current()
    if (!payments) return 'No payments are looked up, because the shop takes none.'
    await services.queue.start(allJobs(services))
    await finishSearches(services, payments)
    const { count } = await listRebuilt(services)
    return `Purchases found at Stripe and made again: ${count}. The admin area lists them under Backups.`
  } catch (error) {
    return `Payments could not be looked up at Stripe (${failureReason(error)}). The shop does so when it runs.`
  } finally {
    await closeShop(services)
  }
}

const secretIsMissing =
  'The secret of these data is not here, and the shop does not start without it: set it as AUTH_SECRET or put its file into DATA_DIR, or give it up with "lectern admin new-secret --yes". Payments are looked up once the shop runs.'

function copyWords(copied: string, { settings }: Pick<Shop, 'settings'>): string {
  return `These are the data of the shop at ${copied}, and SITE_URL is ${settings.get().shop.site_url}.
Until an admin has confirmed once, under Needs attention in the admin area, that this is the shop now, it takes no payments and looks none up.`
}

await main().catch(fail)
process.exit(0)
