// Every prefix the server answers, top to bottom.
import { OpenAPIHono } from '@hono/zod-openapi'
import type { MiddlewareHandler } from 'hono'
import { standardWording } from '#words/texts.ts'
import { withTexts } from '#words/wording.ts'
import { accountsApi, ownAccountApi } from '#domains/accounts/own-account.routes.ts'
import { createUserFunction, usersApi } from '#domains/accounts/users.routes.ts'
import { lockedBuyersApi, erasuresApi, ownDataApi } from '#domains/privacy/own-data.routes.ts'
import { securityEventsApi } from '#domains/accounts/security-events.routes.ts'
import { auditApi, exportFilesApi, reportsApi } from '#domains/reports/reports.routes.ts'
import { backupsApi, backupCopiesApi } from '#domains/backup/backup.routes.ts'
import { discountsApi, adminDiscountsApi } from '#domains/orders/discounts.routes.ts'
import { guestOrdersApi } from '#domains/orders/guest-orders.routes.ts'
import { purchasesApi, receiptFunction } from '#domains/orders/purchases.routes.ts'
import { shipmentsApi, shippingApi } from '#domains/orders/shipments.routes.ts'
import {
  announcementsApi,
  editionFilesApi,
  editionsApi,
  unsubscribeApi,
} from '#domains/delivery/editions.routes.ts'
import { waitlistApi } from '#domains/delivery/releases.routes.ts'
import { downloadsApi, filesApi } from '#domains/delivery/downloads.routes.ts'
import { coverApi, bookApi } from '#domains/book/book.routes.ts'
import { bookDraftsApi } from '#domains/book/drafts.routes.ts'
import { draftPagesApi } from '#domains/book/draft-pages.routes.ts'
import { bookEbooksApi } from '#domains/book/stored-ebooks.routes.ts'
import { uploadsApi } from '#domains/files/uploads.routes.ts'
import { adminPicturesApi, picturesApi } from '#domains/files/pictures.routes.ts'
import { grantsApi } from '#domains/delivery/grants.routes.ts'
import { giftsApi } from '#domains/delivery/gifts.routes.ts'
import { manualApi } from '#domains/overview/manual.routes.ts'
import { metricsApi } from '#domains/reports/metrics.routes.ts'
import { adminExcerptApi, excerptApi, excerptFilesApi } from '#domains/readers/excerpt.routes.ts'
import { leaveLettersApi, lettersApi, subscribersApi } from '#domains/readers/letters.routes.ts'
import { contactApi, messagesApi, movesApi, purchaseMovesApi } from '#domains/readers/readers.routes.ts'
import { ordersApi } from '#domains/overview/orders.routes.ts'
import { mailPagesApi, mailPreviewsApi, mailSetupApi, mailsApi } from '#domains/mail/mails.routes.ts'
import { attentionApi } from '#domains/overview/attention.routes.ts'
import { todayApi } from '#domains/overview/today.routes.ts'
import { withdrawalsApi } from '#domains/payments/withdrawals.routes.ts'
import { endOldPrices } from '#domains/payments/old-prices.ts'
import { oldPricesApi } from '#domains/payments/old-prices.routes.ts'
import { declarationsApi } from '#domains/payments/declarations.routes.ts'
import { guestApi } from '#domains/payments/guest-purchases.routes.ts'
import { paymentsApi } from '#domains/payments/payments.routes.ts'
import { stripeApi } from '#domains/payments/stripe.routes.ts'
import { clearProductFault } from '#domains/payments/faults.ts'
import { adminProductsApi } from '#domains/delivery/products.routes.ts'
import { productsApi } from '#domains/catalog/products.routes.ts'
import { mailsOfOrders } from '#domains/orders/entitlements.ts'
import { stopCountingSample } from '#domains/settings/sums-settings.ts'
import { paymentSetupApi } from '#domains/settings/payment-setup.routes.ts'
import { settingsApi } from '#domains/settings/settings.routes.ts'
import { webhookApi } from '#domains/settings/webhook.routes.ts'
import { listPreviewProducts, hideEmptySection } from '#domains/setup/preview-products.ts'
import { bookSetupApi } from '#domains/setup/book-setup.routes.ts'
import { firstStepsApi, noteFirstVisit } from '#domains/setup/first-steps.routes.ts'
import { setupApi } from '#domains/setup/setup.routes.ts'
import { restoreUploadsApi } from '#domains/setup/restore-uploads.routes.ts'
import { setupRestoreApi } from '#domains/setup/setup-restore.routes.ts'
import { adminsApi } from '#domains/accounts/admins.ts'
import { internalApiClient } from '#pages/api-calls.ts'
import { siteForms } from '#pages/forms.ts'
import { refuseDownloads } from '#pages/refused-downloads.ts'
import type { Site } from '#pages/site.ts'
import { devMailbox } from '#platform/mail.ts'
import {
  createErrorHandler,
  onlyJson,
  requireShortAddress,
  setHeaders,
  shortAddress,
  apiHeaders,
} from '#platform/http/errors.ts'
import { healthApi } from '#platform/http/health.ts'
import { limitBody } from '#platform/http/bodies.ts'
import { openapiApi } from '#platform/http/openapi.ts'
import { createApi, type ApiEnv } from '#platform/http/route.ts'
import { CachingRouter } from '#platform/http/router.ts'
import { platformProblem } from '#platform/problem.ts'
import type { Shop } from './shop.ts'

/** The limit is in bytes. */
const maxBody = 64 * 1024

export type Api = ReturnType<typeof publicApi>

export function createApp(
  shop: Shop,
  site: Pick<Site, 'handle' | 'renderPage' | 'answer'>,
  { isStarting, isStopping }: { isStarting: () => boolean; isStopping: () => boolean } = {
    isStarting: () => false,
    isStopping: () => false,
  },
) {
  const app = new OpenAPIHono<ApiEnv>({ router: new CachingRouter() })
  app.onError(createErrorHandler(shop))
  app.notFound(refuseUnknown)
  const api = createApi().route('/admin', adminApi(shop)).route('/', publicApi(shop))
  api.openAPIRegistry.registerComponent('securitySchemes', 'bearer', { type: 'http', scheme: 'bearer' })
  // The path '*' would put a middleware before the pages, too, which would have to wait for a promise.
  for (const prefix of ['/api/*', '/auth/v1/*', '/functions/*']) app.use(prefix, shortAddress)

  app.route('/api', healthApi({ ...shop, isStarting, isStopping }))
  app.route('/api', openapiApi(api, shop.settings))
  app.route('/api', stripeApi(shop))
  app.route('/api', uploadsApi(shop))
  app.route('/api', restoreUploadsApi(shop))
  app.route('/', picturesApi(shop))
  app.route('/', coverApi(shop))
  app.route(
    '/api',
    draftPagesApi(shop, async (path, document) => {
      const products = await listPreviewProducts(shop)
      return site.renderPage(path, hideEmptySection(document, products), products)
    }),
  )
  app.route('/api/admin', bookDraftsApi(shop, stopCountingSample))
  // It comes before what takes JSON only.
  app.route('/api', mailPreviewsApi(shop))

  for (const prefix of ['/api/*', '/auth/v1/*', '/functions/*']) app.use(prefix, localize(shop))
  app.route('/api', api)
  for (const prefix of ['/api/files/*', '/api/excerpt-files/*']) app.use(prefix, refuseDownloads(shop, site))
  app.route('/api', filesApi(shop))
  app.route('/api', editionFilesApi(shop))
  app.route('/api', excerptFilesApi(shop))
  app.route('/api', exportFilesApi(shop))
  app.route('/api', backupCopiesApi(shop))
  app.route('/api', mailPagesApi(shop))
  app.all('/api/*', refuseUnknown)

  app.route('/auth/v1', shop.auth.app)
  app.all('/auth/v1/*', refuseUnknown)

  app.use('/functions/*', ...callMiddleware)
  app.route('/functions/v1', receiptFunction(shop))
  app.route('/functions/v1', createUserFunction(shop))
  app.all('/functions/*', refuseUnknown)

  if (shop.metrics) app.route('/metrics', metricsApi(shop.metrics))
  if (shop.config.isDevelopment) app.route('/dev/mailbox', devMailbox(shop.config))
  app.route(
    '/',
    siteForms(
      shop,
      site,
      internalApiClient((request, env) => app.fetch(request, env)),
    ),
  )
  // The form of its page has the same address and comes first.
  app.route('/', leaveLettersApi(shop))
  app.route('/', unsubscribeApi(shop))
  const noteVisit = noteFirstVisit(shop)
  app.get('*', (c) => {
    requireShortAddress(c.req.url)
    if (c.req.path === '/') noteVisit(c)
    return site.handle(c)
  })
  return app
}

/** Responses to readers have the words of the book's pages; those to admins are English. */
function localize({ book }: Shop): MiddlewareHandler {
  const findWording = async () => {
    try {
      return (await book.getOrStale()).wording
    } catch {
      return standardWording
    }
  }
  return async (c, next) =>
    c.req.path.startsWith('/api/admin/') ? next() : withTexts(await findWording(), next)
}

const callMiddleware = [setHeaders(apiHeaders), onlyJson, limitBody(maxBody)] as const

function publicApi(shop: Shop) {
  const api = createApi().route('/', productsApi(shop))
  api.use('*', ...callMiddleware)
  return api
    .route('/', purchasesApi(shop))
    .route('/', downloadsApi(shop))
    .route('/', editionsApi(shop))
    .route('/', movesApi(shop))
    .route('/', giftsApi(shop))
    .route('/', waitlistApi(shop))
    .route('/', lettersApi(shop))
    .route('/', excerptApi(shop))
    .route('/', paymentsApi(shop))
    .route('/', guestApi(shop))
    .route('/', guestOrdersApi(shop))
    .route('/', declarationsApi(shop))
    .route('/', shippingApi(shop))
    .route('/', discountsApi(shop))
    .route('/', accountsApi(shop))
    .route('/', ownAccountApi(shop))
    .route('/', ownDataApi(shop))
    .route('/', erasuresApi(shop))
    .route('/', contactApi(shop))
    .route('/', setupApi(shop))
    .route('/', setupRestoreApi(shop))
    .route('/', bookApi(shop))
}

function adminApi(shop: Shop) {
  const api = createApi()
  const { requireUser, requireAdmin, requireAdminStill } = shop.auth
  api.use('*', requireUser, requireAdmin, ...callMiddleware, requireAdminStill)
  api.route('/', todayApi(shop))
  api.route('/', reportsApi(shop))
  api.route('/', firstStepsApi(shop))
  api.route('/', bookSetupApi(shop))
  api.route('/', usersApi(shop))
  api.route('/', adminsApi(shop))
  api.route('/', adminProductsApi(shop, { onRepriced: endOldPrices, onChanged: clearProductFault }))
  api.route('/', announcementsApi(shop))
  api.route('/', adminPicturesApi(shop))
  api.route('/', adminDiscountsApi(shop))
  api.route('/', grantsApi(shop))
  api.route('/', ordersApi(shop))
  api.route('/', purchaseMovesApi(shop))
  api.route('/', lockedBuyersApi(shop))
  api.route('/', shipmentsApi(shop))
  api.route('/', messagesApi(shop))
  api.route('/', subscribersApi(shop))
  api.route('/', adminExcerptApi(shop))
  api.route('/', mailsApi(shop, mailsOfOrders))
  api.route('/', mailSetupApi(shop))
  api.route('/', attentionApi(shop))
  api.route('/', oldPricesApi(shop))
  api.route('/', withdrawalsApi(shop))
  api.route('/', auditApi(shop))
  api.route('/', securityEventsApi(shop))
  api.route('/', backupsApi(shop))
  api.route('/', bookEbooksApi(shop))
  api.route('/', paymentSetupApi(shop))
  api.route('/', settingsApi(shop))
  api.route('/', webhookApi(shop))
  api.route('/', manualApi())
  return api
}

function refuseUnknown(): never {
  throw platformProblem('request.not_found')
}
