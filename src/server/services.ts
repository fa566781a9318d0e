// Everything the server is made of, in one typed bag. Adapters are built here and nowhere else.
import type { Auth } from './auth/auth.ts'
import type { Config } from './config.ts'
import type { Database, Db } from './db/client.ts'
import type { Log } from './log.ts'
import type { Mail } from './adapters/mail.ts'
import type { Queue } from './adapters/queue.ts'
import type { Storage } from './adapters/storage.ts'
import type { Secret } from './secret.ts'

export type Services = {
  config: Config
  /** The pool and its life; `db` is what queries go through. */
  database: Database
  db: Db
  auth: Auth
  mail: Mail
  storage: Storage
  queue: Queue
  secret: Secret
  clock: () => Date
  log: Log
}
