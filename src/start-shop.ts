// Starts a shop: database, services, background work, and the HTTP server that serves API and pages.
import type { RequestListener } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { getRequestListener } from '@hono/node-server'
import { configuredSecret } from '#platform/secret.ts'
import { lockSecret } from '#platform/secrets.ts'
import type { Passwords } from '#domains/accounts/passwords.ts'
import { upgradeDatabase } from '#domains/backup/upgrade-database.ts'
import { seed } from '#domains/catalog/seed.ts'
import { saveHadKey } from '#domains/catalog/sale-mode.ts'
import type { Restoring } from '#domains/setup/restoring.ts'
import { fitCurrency } from '#domains/settings/currency-fit.ts'
import { recordIdentity } from '#domains/settings/shop-identity.ts'
import { alignCurrency, alignDayZone, alignTestOrders } from '#domains/settings/sums-settings.ts'
import { headersTooLarge } from '#pages/plain-page.ts'
import { openSite, type Site } from '#pages/site.ts'
import type { SiteOptions } from '#pages/page-cache.ts'
import { rememberLast } from '#platform/cached.ts'
import { isMisconfigured, isUnavailable, openDatabase, type Database } from '#platform/db/client.ts'
import { failureReason } from '#platform/errors.ts'
import { requireSessions } from '#platform/db/pooler-check.ts'
import type { Settings } from '#platform/settings.ts'
import { createHttpServer, type HttpServer, observeRequests } from '#platform/http/server.ts'
import type { Log } from '#platform/log.ts'
import { createApp } from './app.ts'
import { openBackground } from './background.ts'
import type { Config, SettingValues } from './config.ts'
import { Problem } from '#platform/problem.ts'
import { closeShop, openShop, type Shop } from './shop.ts'
import type { Hono } from 'hono'
import { isRoutePattern, type ApiEnv } from '#platform/http/route.ts'

type RunningShop = {
  shop: Shop
  port: number
  /** `isLast: false` leaves the HTTP server to the shop that opens next, whose requests wait meanwhile. */
  stop: (options?: { isLast?: boolean }) => Promise<void>
}

type OpenPages = (options: SiteOptions) => Promise<Site>

export type StartOptions = {
  log: Log
  databaseUrl: string
  /** One that outlives the shop; else it has its own. */
  http?: HttpServer
  clock?: () => Date
  restoring?: Restoring
  passwords?: Passwords
  openPages?: OpenPages
  hasSeed?: boolean
  hasWorkers?: boolean
  /** False: the shop sends, settles and deletes nothing. */
  hasWork?: boolean
  /** Aborted, it ends the repetition of a start that failed. */
  stopping?: AbortSignal
}

const pauseMs = 1_000

/**
 * Repeated for `repeatMs` while the database is unavailable: one that was killed has to recover first. The first failure
 * is thrown where the password, the database's name or the host's is wrong. Later, the host may be unknown for a while:
 * Docker forgets the name of a container that is being started again.
 */
export async function startShop(
  config: Config,
  options: StartOptions,
  repeatMs = 60_000,
): Promise<RunningShop> {
  const { log, http = createHttpServer(config), stopping } = options
  let end: number | undefined
  for (;;) {
    try {
      return await start(config, { ...options, http })
    } catch (error) {
      const isFirst = end === undefined
      if (!isUnavailable(error) || (isFirst && isMisconfigured(error))) throw error
      const now = performance.now()
      const reason = failureReason(error)
      if (isFirst)
        log.warn({ reason }, `the database is away: the start is repeated, for ${repeatMs / 1_000} s at most`)
      end ??= now + repeatMs
      if (now + pauseMs > end || stopping?.aborted) throw error
      await sleep(pauseMs, undefined, stopping && { signal: stopping }).catch(() => undefined)
      if (stopping?.aborted) throw error
      log.debug({ reason }, 'the start begins again')
    }
  }
}

async function start(config: Config, options: StartOptions & { http: HttpServer }): Promise<RunningShop> {
  const { log, http, databaseUrl, openPages = choosePages(config), hasSeed = true } = options
  const { hasWorkers = true, hasWork = true } = options
  await using undo = new AsyncDisposableStack()
  if (config.databaseUrl) await requireSessions(config.databaseUrl)
  const database = undo.use(openDatabase(databaseUrl))
  await upgradeDatabase(database, config, log)
  const metrics = undo.use(
    await openMetrics(config, database, {
      get: (): SettingValues => shop.settings.get(),
    }),
  )
  const shop: Shop = undo.adopt(await openShop(config, database, { ...options, metrics }), closeShop)
  if (shop.secret.text !== configuredSecret(config).text)
    log.warn('AUTH_SECRET is not in force yet: stop the shop and run "lectern admin new-secret"')
  await recordIdentity(shop)
  requireHttpsForMoney(shop)
  await alignCurrency(database, shop.settings.get().shop.currency)
  await alignDayZone(database, shop.settings.get().shop.time_zone)
  if (shop.payments.mode() === 'live') await alignTestOrders(database)
  await saveHadKey(shop)
  if (hasSeed) await seed(shop)
  await fitCurrency(shop.db, shop.settings.get())
  await ensureAdmin(shop)

  const site = await openPages({
    settings: shop.settings,
    log,
    listProducts: async () => (await shop.catalogue.get()).products,
    readBook: async () => shop.book.get(),
    lastData: async () => ({
      products: (await shop.catalogue.getOrStale()).products,
      book: await shop.book.getOrStale(),
    }),
    sendsMail: () => shop.mail.sendsMail(),
    bookReader: shop.bookReader,
    dataDir: config.dataDir,
  })
  shop.catalogue.onDrop(() => site.dropPages())
  shop.settings.onChange(() => shop.catalogue.drop())
  let isStarting = true
  const states = { isStarting: () => isStarting, isStopping: http.isStopping }
  await http.open(site.wrap(createListener(shop, site, states), http.server), {
    headersTooLarge: async () => headersTooLarge((await shop.book.getOrStale()).wording),
  })
  undo.defer(() => http.hold())
  undo.use(await openBackground(shop, { hasWorkers, hasWork }))
  // "lectern admin new-secret" may have begun before this process could be seen.
  await database.db.transaction((tx) => lockSecret(tx, shop.secret))
  isStarting = false

  const stack = undo.move()
  async function stop({ isLast = true } = {}): Promise<void> {
    if (isLast) {
      await http.drain(config.drainSeconds)
      await http.close()
    }
    await stack.disposeAsync()
  }
  return { shop, port: http.port(), stop }
}

type States = Parameters<typeof createApp>[2]

function createListener(shop: Shop, site: Site, states: States): RequestListener {
  const app = createApp(shop, site, states)
  const hostOf = rememberLast((siteUrl) => new URL(siteUrl).host)
  const handle = getRequestListener(app.fetch, {
    autoCleanupIncoming: false,
    /** A request without `Host` has this one. Every request reads it. */
    get hostname() {
      return hostOf(shop.settings.get().shop.site_url)
    },
  })
  const respond: RequestListener = (request, response) => {
    if (isHttps(shop)) response.setHeader('strict-transport-security', 'max-age=31536000')
    void handle(request, response)
  }
  return observeRequests(respond, {
    log: shop.log,
    routeOf: createRouteOf(app, site),
    observe: shop.metrics?.observeRequest,
  })
}

function isHttps({ settings }: Pick<Shop, 'settings'>): boolean {
  return settings.get().shop.site_url.startsWith('https:')
}

async function openMetrics(config: Config, database: Database, settings: Pick<Settings, 'get'>) {
  const { metricsToken: token } = config
  if (!token) return undefined
  const metrics = await import('#domains/reports/metrics.ts')
  return metrics.openMetrics({ settings, database, token, folders: foldersOf(config) })
}

function foldersOf({ dataDir, backup: { url } }: Config): Record<string, string> {
  const isFolder = url?.startsWith('file:')
  return { data: dataDir, ...(url && isFolder && { backups: fileURLToPath(url) }) }
}

/** The bundle leaves development, and Vite with it, out. */
function choosePages({ isDevelopment }: Config): OpenPages {
  // oxlint-disable-next-line no-process-env -- the bundler replaces it
  if (process.env.NODE_ENV === 'production' || !isDevelopment) return openSite
  return async (options) => (await import('#pages/development.ts')).createDevelopmentSite(options)
}

function requireHttpsForMoney(shop: Shop): void {
  if (shop.payments.mode() === 'live' && !isHttps(shop))
    throw new Error('STRIPE_SECRET_KEY is a live key, so SITE_URL must begin with https://')
}

async function ensureAdmin({ auth, config: { adminEmail, adminPassword } }: Shop): Promise<void> {
  if (!adminEmail || !adminPassword) return
  await auth.ensureAdmin(adminEmail, adminPassword).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.code !== 'auth.common_password') throw error
    throw new Error('ADMIN_PASSWORD is one of the 10,000 most common passwords: choose another.')
  })
}

type Routes = Pick<Hono<ApiEnv>, 'router'>

/** Unknown paths share one label: callers invent them without end. */
function createRouteOf({ router }: Routes, site: Pick<Site, 'patternOf'>) {
  return (method: string, path: string): string => {
    const [matches] = router.match(method === 'HEAD' ? 'GET' : method, path)
    const own = matches.find(([[, route]]) => isRoutePattern(route.path))
    return own?.[0][1].path ?? site.patternOf(path) ?? 'unknown'
  }
}
