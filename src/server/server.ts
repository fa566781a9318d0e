// A running shop: services, migrations, jobs and the listening socket, put together and taken apart in order.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import type { EmbeddedPostgres } from './db/embedded.ts'
import { listen } from './db/listen.ts'
import { migrateDatabase } from './db/migrate.ts'
import { seed } from './db/seed.ts'
import { allJobs, startWorkers } from './jobs.ts'
import { withExpressLane } from './express-lane.ts'
import type { Log } from './log.ts'
import { closeServices, createServices, type Services } from './services.ts'
import { reconcile } from './shop/payments/reconcile.ts'
import { sweepMessages } from './shop/messages.ts'
import { sweepFiles } from './shop/intake.ts'
import { createSite } from './site.ts'

export type RunningServer = {
  /** The port that was taken; another than asked for when that was 0. */
  port: number
  /** Finishes requests in flight, then stops everything, the embedded database last. */
  stop(): Promise<void>
}

/** Requests in flight get this long to finish once the server is asked to stop; jobs and the database need time, too. */
const drainMs = 5_000
const sweepMs = 3_600_000
const backstageMs = 50

/** On the database at DATABASE_URL, else on the `postgres` given, which it then stops at the end. */
export async function startServer(
  config: Config,
  log: Log,
  postgres: EmbeddedPostgres | undefined,
): Promise<RunningServer> {
  await using undo = new AsyncDisposableStack()
  if (postgres) undo.use(postgres)
  const url = config.databaseUrl ?? postgres!.url
  const services = undo.adopt(await createServices(config, url, { log }), closeServices)

  const migrated = migrateDatabase(services.database, config.timeZone)
  // Made while the database is being asked.
  const site = createSite({
    config,
    log,
    listProducts: async () => (await services.catalogue.get()).products,
  })
  services.catalogue.onDrop(() => site.dropPages())
  const server = createServer()
  const answer = getRequestListener(createApp(services, site).fetch)
  server.on(
    'request',
    site.wrap(
      withExpressLane(services, site, (request, response) => void answer(request, response)),
      server,
    ),
  )
  await migrated
  await seed(services)
  if (config.adminEmail && config.adminPassword) {
    await services.auth.ensureAdmin(config.adminEmail, config.adminPassword)
  }
  await bind(server, config)
  undo.adopt(server, drain)
  // From here on requests are answered, those that waited for it first; one with a job to give away waits for the queue.
  await sleep(backstageMs)
  undo.adopt(
    listen(url, 'catalogue', () => services.catalogue.drop(), log),
    (listener) => listener.close(),
  )
  await services.queue.start(allJobs(services))
  await startWorkers(services)
  await site.open()
  const sweeping = setInterval(() => void sweep(services), sweepMs)
  undo.defer(() => clearInterval(sweeping))
  if (config.payments) {
    const reconciling = setInterval(() => void reconcileAgain(services), config.payments.roundMs)
    undo.defer(() => clearInterval(reconciling))
  }

  const stack = undo.move()
  return { port: (server.address() as AddressInfo).port, stop: () => stack.disposeAsync() }
}

let isReconciling = false

/** One round at a time in this process; of several processes each may ask, which does no harm. */
async function reconcileAgain(services: Services): Promise<void> {
  if (isReconciling) return
  isReconciling = true
  await reconcile(services).catch((error: unknown) =>
    services.log.warn({ err: error }, 'payments could not be reconciled'),
  )
  isReconciling = false
}

/** A failure is only logged: an hour later it is tried again. */
async function sweep(services: Services): Promise<void> {
  const { auth, log } = services
  const missed = (error: unknown) => log.warn({ err: error }, 'something old could not be swept away')
  await auth.sweep().catch(missed)
  await sweepFiles(services).catch(missed)
  await sweepMessages(services).catch(missed)
}

function bind(server: Server, { port, host }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** New connections are refused, and each is closed once it rests; those that still work at the end of their time are cut. */
function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const release = setInterval(() => server.closeIdleConnections(), 50)
    const cut = setTimeout(() => server.closeAllConnections(), drainMs)
    server.close(() => {
      clearInterval(release)
      clearTimeout(cut)
      resolve()
    })
  })
}
