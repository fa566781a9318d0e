// The services that all domains use, and how they are opened.
import { openMail, type Mail } from './mail.ts'
import type { Database, Db } from './db/client.ts'
import type { Log } from './log.ts'
import { openQueue, type Queue } from './queue.ts'
import type { Secret } from './secret.ts'
import type { Settings } from './settings.ts'
import { openStorage } from './open-storage.ts'
import type { Storage } from './storage.ts'
import { openPayments, type PaymentProvider } from './stripe/open-payments.ts'
import type { PaymentWatch } from './stripe/payments.ts'
import { openUploads, type Uploads } from './uploads.ts'
import type { Config } from '../config.ts'

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
  secret: Secret
  clock: () => Date
  log: Log
}

type ServiceInputs = Pick<Services, 'config' | 'settings' | 'database' | 'log' | 'clock' | 'secret'> & {
  watchPayments: (needs: Pick<Services, 'db' | 'log' | 'settings'>) => PaymentWatch
}

export async function openServices({ watchPayments, ...given }: ServiceInputs): Promise<Services> {
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
