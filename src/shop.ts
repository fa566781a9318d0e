// The services of the whole shop, opened and closed.
import { createAuth } from '#domains/accounts/shop.ts'
import { createPasswords, type Passwords } from '#domains/accounts/passwords.ts'
import { claimSecret } from '#domains/accounts/secrets.ts'
import { createMailBranding } from '#domains/book/mail-branding.ts'
import { createBook } from '#domains/book/published-book.ts'
import { openCoverPictures } from '#domains/book/covers.ts'
import { authorEmails } from '#domains/overview/author-emails.ts'
import { scheduledEmails } from '#domains/delivery/scheduled-emails.ts'
import { openBookWork, type BookWork } from '#pages/book-work.ts'
import { notifyAdminsOfBackups } from '#domains/backup/backup-notices.ts'
import { openBackupTargets } from '#domains/backup/backup-targets.ts'
import { createRestoring, type Restoring } from '#domains/setup/restoring.ts'
import { openRestoreUploads } from '#domains/setup/setup-restore.ts'
import type { SetupShop } from '#domains/setup/shop.ts'
import type { Metrics } from '#domains/reports/metrics.ts'
import { memoized } from '#platform/settings.ts'
import { openSettings } from '#platform/stored-settings.ts'
import { openUploadReader } from '#domains/files/ebook-reader.ts'
import { openPictureReader } from '#domains/files/pictures.ts'
import { watchPayments } from '#domains/payments/faults.ts'
import { webhookData } from '#domains/payments/webhook-data.ts'
import { createCatalogue } from '#domains/catalog/catalogue.ts'
import type { Database } from '#platform/db/client.ts'
import { createLog, type Log } from '#platform/log.ts'
import type { Config } from './config.ts'
import { openServices } from '#platform/services.ts'

export type Shop = SetupShop & { bookReader: BookWork; metrics: Metrics | undefined }

type Options = {
  log?: Log
  clock?: () => Date
  passwords?: Passwords
  metrics?: Metrics | undefined
  restoring?: Restoring
}

export async function openShop(
  config: Config,
  database: Database,
  {
    log = createLog(config.logLevel),
    clock = () => new Date(),
    passwords = createPasswords(),
    metrics,
    restoring = createRestoring(),
  }: Options = {},
): Promise<Shop> {
  const secret = await claimSecret(database.db, config)
  const settings = await openSettings({ config, db: database.db, secret, log })
  const services = await openServices({ config, settings, database, log, clock, secret, watchPayments })
  const book = createBook(services)
  const pictureReader = openPictureReader()
  const catalogue = createCatalogue({ ...services, book })
  const branding = createMailBranding({ ...services, book })
  return {
    ...services,
    book,
    bookReader: openBookWork(),
    ...branding,
    authorEmails,
    scheduledEmails,
    webhookData,
    mail: metrics ? metrics.countMails(services.mail) : services.mail,
    metrics,
    auth: createAuth({ ...services, ...branding, authorEmails, scheduledEmails, webhookData, passwords }),
    backupTargets: memoized(
      () => settings.get().backups,
      (backups) => openBackupTargets(config, backups),
    ),
    notifyAdminsOfBackups,
    restoring,
    restoreUploads: openRestoreUploads(services),
    catalogue,
    uploadReader: openUploadReader(),
    pictureReader,
    coverPictures: openCoverPictures({ ...services, book, catalogue, pictureReader }),
  }
}

export async function closeShop({
  queue,
  bookReader,
  uploadReader,
  pictureReader,
}: Pick<Shop, 'queue' | 'bookReader' | 'uploadReader' | 'pictureReader'>): Promise<void> {
  await Promise.all([queue.stop(), bookReader.close(), uploadReader.close(), pictureReader.close()])
}
