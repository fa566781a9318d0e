// Everything the server is made of, in one typed bag. Adapters are built here and nowhere else.
import { createAuth, type Auth } from '#features/accounts/auth.ts'
import { createPasswords, type Passwords } from '#features/accounts/passwords.ts'
import type { Config } from './config.ts'
import type { Database, Db } from '#platform/db/client.ts'
import { createLog, type Log } from '#platform/log.ts'
import { openPayments, type Payments } from '#platform/stripe/payments.ts'
import { openMail, type Mail } from '#platform/mail.ts'
import { openQueue, type Queue } from '#platform/queue.ts'
import { openUploads, type Uploads } from '#platform/uploads.ts'
import { openStorage, type Storage } from '#platform/storage.ts'
import { openSecret, type Secret } from '#platform/secret.ts'
import { createCatalogue, type Catalogue } from '#features/products/catalogue.ts'
import { openUploadReader, type UploadReader } from '#features/ebooks/check.ts'
import { watchPayments } from '#features/payments/faults.ts'

export type Services = {
  config: Config
  /** The pool and its life; `db` is what queries go through. */
  database: Database
  db: Db
  auth: Auth
  mail: Mail
  storage: Storage
  /** Files on their way in. */
  uploads: Uploads
  /** The threads that look into them. */
  uploadReader: UploadReader
  /** Undefined where no money is taken. */
  payments: Payments | undefined
  queue: Queue
  passwords: Passwords
  secret: Secret
  /** What is for sale, in memory. */
  catalogue: Catalogue
  clock: () => Date
  log: Log
}

/** Opens everything on `database`, which stays its owner's and is not asked anything yet. */
export async function createServices(
  config: Config,
  database: Database,
  {
    log = createLog(config.logLevel),
    clock = () => new Date(),
    passwords = createPasswords(),
  }: Partial<Pick<Services, 'log' | 'clock' | 'passwords'>> = {},
): Promise<Services> {
  const { db, url } = database
  const queue = openQueue(url, log)
  const secret = openSecret(config)
  const base = { config, database, db, queue, passwords, secret, clock, log }
  return {
    ...base,
    auth: createAuth(base),
    mail: openMail(config),
    storage: openStorage(config),
    uploads: openUploads(config, log),
    uploadReader: openUploadReader(),
    payments: await openPayments(config, watchPayments(base)),
    catalogue: createCatalogue(base),
  }
}

export async function closeServices({ queue, uploadReader }: Services): Promise<void> {
  await Promise.all([queue.stop(), uploadReader.close()])
}
