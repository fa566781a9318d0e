import { openMail, type Mail } from '#platform/mail.ts'
import type { Database, Db } from '#platform/db/client.ts'
import type { Log } from '#platform/log.ts'
import { openQueue, type Queue } from '#platform/queue.ts'
import type { Secrets } from '#platform/secret.ts'
import type { Settings } from '#platform/settings.ts'
import { openStorage } from '#platform/open-storage.ts'
import type { Storage } from '#platform/storage.ts'
import { openPayments, type PaymentProvider } from '#platform/stripe/open-payments.ts'
import type { PaymentWatch } from '#platform/stripe/payments.ts'
import { openUploads, type Uploads } from '#platform/uploads.ts'
import type { Config } from './config.ts'

export type Services = {
  config: Config
  settings: Settings
  database: Database
  db: Db
  mail: Mail
  storage: Storage
  uploads: Uploads
  payments: PaymentProvider
  queue: Queue
  secrets: Secrets
  clock: () => Date
  log: Log
}

type Given = Pick<Services, 'config' | 'settings' | 'database' | 'log' | 'clock' | 'secrets'> & {
  watchPayments: (needs: Pick<Services, 'db' | 'log' | 'settings'>) => PaymentWatch
}

export async function openServices({ watchPayments, ...given }: Given): Promise<Services> {
  const { config, settings, database, log } = given
  const { db, url } = database
  return {
    ...given,
    db,
    queue: openQueue(url, log),
    mail: openMail(given),
    storage: openStorage(config),
    uploads: openUploads(given),
    payments: openPayments(given, watchPayments({ db, log, settings })),
  }
}
