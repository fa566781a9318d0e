// A running shop: opened part by part in order, and closed in the reverse order. The process is main.ts's.
import { createServer, type RequestListener, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { claimSecret } from '#features/accounts/secret-fingerprint.ts'
import type { Passwords } from '#features/accounts/passwords.ts'
import { upgradeDatabase } from '#features/backup/upgrade-database.ts'
import { seed } from '#features/products/seed.ts'
import { openSite, type Site } from '#pages/site.ts'
import type { SiteOptions } from '#pages/site-options.ts'
import { openDatabase, type Database } from '#platform/db/client.ts'
import type { Log } from '#platform/log.ts'
import { observeRequests } from '#platform/http/observe-requests.ts'
import { createApp } from './app.ts'
import { openBackground } from './background.ts'
import type { Config } from './config.ts'
import { Problem } from './problems.ts'
import { createRouteOf } from './route-pattern.ts'
import { closeShop, openShop, type Shop } from './shop.ts'

export type RunningShop = {
  shop: Shop
  /** The port the server listens on; not `config.port` where that is 0. */
  port: number
  /** Finishes requests and jobs in flight, then closes the database. */
  stop: () => Promise<void>
}

type OpenPages = (options: SiteOptions) => Promise<Site>

export type StartOptions = {
  log: Log
  databaseUrl: string
  clock?: () => Date
  passwords?: Passwords
  openPages?: OpenPages
  /** Whether the sample products are added to a database without products. */
  hasSeed?: boolean
  /** Without workers, jobs stay in the queue. */
  hasWorkers?: boolean
}

/** Requests in flight get this long to finish once the shop is asked to stop. */
const drainMs = 5_000

export async function startShop(config: Config, options: StartOptions): Promise<RunningShop> {
  const { log, databaseUrl, openPages = choosePages(config), hasSeed = true, hasWorkers = true } = options
  await using undo = new AsyncDisposableStack()
  const database = undo.use(openDatabase(databaseUrl))
  await upgradeDatabase(database, config, log)
  const metrics = undo.use(await openMetrics(config, database))
  const shop = undo.adopt(await openShop(config, database, { ...options, metrics }), closeShop)
  await claimSecret(shop.db, shop.secret)
  if (hasSeed) await seed(shop)
  await ensureAdmin(shop)

  const site = await openPages({
    config,
    log,
    listProducts: async () => (await shop.catalogue.get()).products,
  })
  shop.catalogue.onDrop(() => site.dropPages())
  const server = createServer()
  server.on('request', site.wrap(createListener(shop, site), server))
  await listen(server, config)
  undo.adopt(server, drain)
  undo.use(await openBackground(shop, { hasWorkers }))

  const stack = undo.move()
  return { shop, port: portOf(server), stop: () => stack.disposeAsync() }
}

function createListener(shop: Shop, site: Site): RequestListener {
  const app = createApp(shop, site)
  const handle = getRequestListener(app.fetch)
  return observeRequests((request, response) => void handle(request, response), {
    log: shop.log,
    routeOf: createRouteOf(app, site),
    observe: shop.metrics?.observeRequest,
  })
}

/** Loaded only where somebody may ask for them. */
async function openMetrics(config: Config, database: Database) {
  const { metricsToken: token } = config
  if (!token) return undefined
  const metrics = await import('#features/metrics/open-metrics.ts')
  return metrics.openMetrics({ config, database, token })
}

/** Vite is loaded only where it is needed, and installed. */
function choosePages({ isDevelopment }: Config): OpenPages {
  if (!isDevelopment) return openSite
  return async (options) => (await import('#pages/development.ts')).createDevelopmentSite(options)
}

async function ensureAdmin({ auth, config: { adminEmail, adminPassword } }: Shop): Promise<void> {
  if (!adminEmail || !adminPassword) return
  await auth.ensureAdmin(adminEmail, adminPassword).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.code !== 'auth.common_password') throw error
    throw new Error('ADMIN_PASSWORD is one of the 10,000 most common passwords: choose another.')
  })
}

function listen(server: Server, { port, host }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function portOf(server: Server): number {
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('The server does not listen on a port.')
  return address.port
}

/** Refuses new connections, closes each open one when it is idle, and those still busy after `drainMs`. */
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
