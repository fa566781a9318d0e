// A running shop: shop, migrations, jobs and the listening socket, put together and taken apart in order.
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from './config.ts'
import type { BegunDatabase } from '#platform/db/begin.ts'
import { claimSecret } from '#features/accounts/secret-fingerprint.ts'
import { seed } from '#features/products/seed.ts'
import { once } from '#platform/cached.ts'
import { createListener } from './listener.ts'
import { Problem } from './problems.ts'
import type { Log } from '#platform/log.ts'
import { closeShop, openShop } from './shop.ts'
import { createSite } from '#pages/site.ts'

export type RunningServer = {
  /** The port that was taken; another than asked for when that was 0. */
  port: number
  /** Finishes requests in flight, then stops everything, the embedded database last. */
  stop(): Promise<void>
}

/** Requests in flight get this long to finish once the server is asked to stop; jobs and the database need time, too. */
const drainMs = 5_000
const backgroundMs = 50

/** Takes over the database, and its process if it has one. */
export async function startServer(
  config: Config,
  log: Log,
  { database, migrated, postgres }: BegunDatabase,
): Promise<RunningServer> {
  await using undo = new AsyncDisposableStack()
  if (postgres) undo.use(postgres)
  undo.defer(async () => {
    await migrated.catch(() => {})
    await database.close()
  })
  const shop = undo.adopt(await openShop(config, database, { log }), closeShop)
  const site = createSite({
    config,
    log,
    listProducts: async () => (await shop.catalogue.get()).products,
  })
  shop.catalogue.onDrop(() => site.dropPages())
  const openApplication = once(async () => {
    const [{ createApp }, { getRequestListener }] = await Promise.all([
      import('./app.ts'),
      import('@hono/node-server'),
    ])
    return getRequestListener(createApp(shop, site).fetch)
  })
  // Imported by name, it would load all of `fetch`, a tenth of a start.
  const server = process.getBuiltinModule('node:http').createServer()
  server.on('request', site.wrap(createListener(shop, site, openApplication), server))
  await migrated
  await claimSecret(shop.db, shop.secret)
  await seed(shop)
  if (config.adminEmail && config.adminPassword) {
    await shop.auth.ensureAdmin(config.adminEmail, config.adminPassword).catch((error: unknown) => {
      if (!(error instanceof Problem) || error.code !== 'auth.common_password') throw error
      throw new Error('ADMIN_PASSWORD is one of the 10,000 most common passwords: choose another.')
    })
  }
  await bind(server, config)
  undo.adopt(server, drain)
  // From here on requests are answered, those that waited for it first; one for the application waits for that to be
  // loaded, one with a job to give away for the queue.
  await sleep(backgroundMs)
  await openApplication()
  const { openBackground } = await import('./background.ts')
  undo.use(await openBackground(shop))
  await site.open()

  const stack = undo.move()
  return { port: (server.address() as AddressInfo).port, stop: () => stack.disposeAsync() }
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
