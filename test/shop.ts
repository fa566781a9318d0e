// A whole shop for a test: the real app on a port, its own database, a folder of its own, its mails as .eml files.
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfig } from '../src/config.ts'
import { createLog, type Log } from '#platform/log.ts'
import { startShop, type StartOptions } from '../src/start-shop.ts'
import type { Shop } from '../src/shop.ts'
import type { Passwords } from '#domains/accounts/passwords.ts'
import { createTestDatabase } from './database.ts'
import type { Call } from './call.ts'
import { openMailbox, readOutbox, type Mailbox } from './mailbox.ts'
import { memoryFolder } from './memory-folder.ts'
import { openSmtpServer } from './smtp.ts'
import { rememberingPasswords } from './passwords.ts'
import { findFreePort } from './find-free-port.ts'
import { createPerson, type Person, type PersonOptions } from './users.ts'
import { withoutPages } from './without-pages.ts'

export type TestShop = AsyncDisposable & {
  url: string
  services: Shop
  mailbox: Mailbox
  /** A call without a session; a body that is not a string is sent as JSON. */
  call: Call
  /** A verified account, signed in. */
  person(options?: PersonOptions): Promise<Person>
  product(format: string): Promise<{ id: string; name: string; price: number }>
}

type Options = {
  /** Settings as the environment would give them. */
  env?: Record<string, string>
  clock?: () => Date
  /** Silent unless given. */
  log?: Log
  passwords?: Passwords
  /** Without workers, jobs stay in the queue. */
  hasWorkers?: boolean
  /** To a mail server, where `mailbox` looks; else emails are kept, without codes. */
  sendsMail?: boolean
  /** Of the site; none unless given, since they need the build. */
  openPages?: StartOptions['openPages']
  /** An empty one has nothing for sale. */
  isEmpty?: boolean
}

export async function openTestShop({
  env = {},
  clock,
  log,
  passwords = rememberingPasswords,
  hasWorkers = true,
  sendsMail = false,
  openPages = withoutPages,
  isEmpty = false,
}: Options = {}): Promise<TestShop> {
  await using undo = new AsyncDisposableStack()
  const database = undo.use(await createTestDatabase())
  const dataDir = await mkdtemp(join(memoryFolder(), 'lectern-shop-'))
  // A job that was cut short may still be writing its mail.
  undo.defer(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }))

  const smtp = sendsMail ? undo.use(await openSmtpServer()) : undefined
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const config = readConfig({
    LOG_LEVEL: 'silent',
    SITE_URL: url,
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: String(port),
    ...(smtp && { SMTP_URL: smtp.url }),
    ...env,
  })
  const { shop: services, stop } = await startShop(config, {
    log: log ?? createLog(config.logLevel),
    databaseUrl: database.url,
    passwords,
    openPages,
    hasSeed: !isEmpty,
    hasWorkers,
    ...(clock && { clock }),
  })
  undo.defer(stop)

  const call: Call = (method, path, { body, headers, token } = {}) =>
    fetch(new URL(path, url), {
      method,
      redirect: 'manual',
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })

  const stack = undo.move()
  return {
    url,
    services,
    mailbox: openMailbox(async () =>
      smtp ? smtp.emails.map(({ email }) => email) : readOutbox(join(dataDir, 'outbox')),
    ),
    call,
    person: (options) => createPerson(services, call, options),
    async product(format) {
      const product = (await services.catalogue.get()).products.find((each) => each.format === format)
      if (!product) throw new Error(`the test shop has no ${format} product`)
      return product
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
