// A whole shop for a test: the real app on a port, its own database, a folder of its own, its mails as .eml files.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { createApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { openDatabase } from '#platform/db/client.ts'
import { listen } from '#platform/db/listen.ts'
import { migrateDatabase } from '#platform/db/migrate.ts'
import { seed } from '#features/products/seed.ts'
import { allJobs, startWorkers } from '../src/jobs.ts'
import { createListener } from '../src/listener.ts'
import { createLog } from '#platform/log.ts'
import { closeShop, openShop, type Shop } from '../src/shop.ts'
import type { Passwords } from '#features/accounts/passwords.ts'
import { createTestDatabase } from './database.ts'
import type { Call } from './call.ts'
import { openMailbox, type Mailbox } from './mailbox.ts'
import { rememberingPasswords } from './passwords.ts'
import { createPerson, type Person, type PersonOptions } from './users.ts'

export type TestShop = AsyncDisposable & {
  url: string
  services: Shop
  mailbox: Mailbox
  /** A call by nobody in particular; a body that is not a string is sent as JSON. */
  call: Call
  /** A verified account, signed in. */
  person(options?: PersonOptions): Promise<Person>
  product(format: string): Promise<{ id: string; name: string; price: number }>
}

type Options = {
  /** Settings as the environment would give them. */
  env?: Record<string, string>
  clock?: () => Date
  passwords?: Passwords
  /** Without workers, jobs stay in the queue. */
  hasWorkers?: boolean
  /** An empty one has nothing for sale. */
  isEmpty?: boolean
}

export async function openTestShop({
  env = {},
  clock,
  passwords = rememberingPasswords,
  hasWorkers = true,
  isEmpty = false,
}: Options = {}): Promise<TestShop> {
  await using undo = new AsyncDisposableStack()
  const database = undo.use(await createTestDatabase())
  const dataDir = await mkdtemp(join(tmpdir(), 'lectern-shop-'))
  // A job that was cut short may still be writing its mail.
  undo.defer(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }))

  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const config = readConfig({ LOG_LEVEL: 'silent', SITE_URL: url, DATA_DIR: dataDir, ...env })

  const given = { log: createLog(config.logLevel), passwords, ...(clock && { clock }) }
  const opened = undo.use(openDatabase(database.url))
  const services = undo.adopt(await openShop(config, opened, given), closeShop)
  // The template's days are those of UTC.
  if (config.timeZone !== 'UTC') await migrateDatabase(services.database, config.timeZone)
  await services.queue.start(allJobs(services))
  if (!isEmpty) await seed(services)
  if (hasWorkers) await startWorkers(services)
  const listener = listen(database.url, 'catalogue', () => services.catalogue.drop(), services.log)
  undo.defer(() => listener.close())
  const app = createApp(services, { app: new Hono() })
  const openApplication = async () => getRequestListener(app.fetch)
  server.on('request', createListener(services, { peek() {} }, openApplication))
  undo.defer(() => {
    server.closeAllConnections()
    server.close()
  })

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
    mailbox: openMailbox(join(dataDir, 'outbox')),
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
