// The background work of a process: workers, sweeps, payments that are checked again, and caches that are refreshed.
import { hourMs, minuteMs } from '#contract/durations.ts'
import { listenerName } from '#domains/accounts/secrets.ts'
import { watchClock } from '#platform/clock-watch.ts'
import { cached } from '#platform/cached.ts'
import { listen } from '#platform/db/listen.ts'
import { sweepOutgoing } from '#platform/data-folders.ts'
import { allJobs, startWorkers } from './jobs.ts'
import type { Shop } from './shop.ts'
import { sendSummaries } from '#domains/overview/author-emails.ts'
import { copyErasedIds } from '#domains/privacy/erased-id-copies.ts'
import { sweepErasures } from '#domains/privacy/erasure-sweep.ts'
import { runDueBackup } from '#domains/backup/due-backups.ts'
import { sweepRestore } from '#domains/setup/setup-restore.ts'
import { findReturnedFiles } from '#domains/catalog/lost-files.ts'
import { sweepStoredFiles } from '#domains/catalog/products.ts'
import { sweepDownloads } from '#domains/delivery/downloads.ts'
import { sweepGuestCheckouts } from '#domains/orders/guest-orders.ts'
import { queueScheduledEmails } from '#domains/mail/scheduled-emails.ts'
import { sweepExcerptRequests } from '#domains/mail/excerpt-requests.ts'
import { sweepSubscribers } from '#domains/mail/subscribers.ts'
import { queueDeliveries, sweepDeliveries } from '#domains/mail/webhook-deliveries.ts'
import { sweepWaitlist } from '#domains/delivery/waitlist.ts'
import { releaseProducts } from '#domains/delivery/releases.ts'
import { sweepDeclarations } from '#domains/orders/withdrawal-declarations.ts'
import { dayIn } from '#platform/db/query.ts'
import { sweepMails, sweepOutbox } from '#domains/mail/mail-retention.ts'
import { sweepMessages } from '#domains/readers/messages.ts'
import { sweepUnusedPictures } from '#domains/book/unused-pictures.ts'
import { updatePriceHistory } from '#domains/catalog/price-history.ts'
import { checkTax } from '#domains/payments/faults.ts'
import { sweepEvents } from '#domains/payments/events.ts'
import { rescheduleOverdueChecks } from '#domains/payments/next-checks.ts'
import { reconcile, isSearching } from '#domains/payments/reconcile.ts'

const sweepMs = hourMs
const firstSweepMs = minuteMs

export async function openBackground(
  shop: Shop,
  { hasWorkers, hasWork }: { hasWorkers: boolean; hasWork: boolean },
): Promise<AsyncDisposable> {
  const { book, catalogue, config, database, log, queue, settings } = shop
  await using undo = new AsyncDisposableStack()
  const changes = new Map([
    // The order matters: the pages are made of both, and dropped with the catalogue.
    ['shop_changed', () => [book, catalogue].forEach((each) => each.drop())],
    ['settings', () => void settings.refresh()],
  ])
  const changeAll = () => changes.forEach((change) => change())
  undo.adopt(
    listen(
      { url: database.url, channels: [...changes.keys()], application_name: listenerName },
      {
        onMessage: (_, channel) => changes.get(channel)?.(),
        onConnect: changeAll,
        onLost: changeAll,
      },
      log,
    ),
    (listener) => listener.close(),
  )
  await queue.start(allJobs(shop))
  if (!hasWork) return undo.move()
  if (hasWorkers) await startWorkers(shop)
  await followPrices(shop)
  undo.use(repeatHourly(createSweeps(shop)))
  void checkTax(shop)
  const rounds = createRounds(shop)
  // A restored shop searches at once, before a buyer whose purchase is not there yet buys again.
  if (await isSearching(shop.db)) void rounds.next()
  const reconciling = setInterval(() => void rounds.next(), config.stripe.roundMs)
  undo.defer(() => clearInterval(reconciling))
  const eachMinute = createMinute(shop)
  const minutes = setInterval(() => void eachMinute(), minuteMs)
  undo.defer(() => clearInterval(minutes))
  return undo.move()
}

/** Records prices also after what changes no product: how the shop sells, and its currency. */
async function followPrices(shop: Shop): Promise<void> {
  const { catalogue, clock, log } = shop
  const warn = (error: unknown) => log.warn({ err: error }, 'the prices could not be recorded')
  // One recording runs at a time, and is repeated where something changes meanwhile.
  const recorded = cached(async () => {
    await updatePriceHistory(shop).catch(warn)
    return clock()
  }, warn)
  catalogue.onDrop(() => void recorded.refresh())
  await recorded.refresh()
}

function createMinute(shop: Shop): () => Promise<void> {
  const { book, catalogue, settings, clock, log } = shop
  const today = () => dayIn(settings.get().shop.time_zone, clock())
  let day = today()
  return async () => {
    // The pages that are made from now on show what comes out with the day.
    if (day !== today()) [book, catalogue].forEach((each) => each.drop())
    day = today()
    for (const step of [releaseProducts, queueScheduledEmails, queueDeliveries])
      await step(shop).catch((error: unknown) => log.warn({ err: error }, 'what is due could not be queued'))
  }
}

export function repeatHourly(sweepOnce: (isStopping: () => boolean) => Promise<void>): Disposable {
  let isStopping = false
  const next = () => {
    timer = setTimeout(next, sweepMs)
    void sweepOnce(() => isStopping)
  }
  let timer = setTimeout(next, firstSweepMs)
  return {
    [Symbol.dispose]() {
      isStopping = true
      clearTimeout(timer)
    },
  }
}

/** One at a time in this process; of several processes each may ask, which does no harm. */
function createRounds(shop: Shop) {
  let isReconciling = false
  return {
    async next(): Promise<void> {
      if (isReconciling) return
      isReconciling = true
      await reconcile(shop).catch((error: unknown) =>
        shop.log.warn({ err: error }, 'payments could not be reconciled'),
      )
      isReconciling = false
    },
  }
}

/** Nothing is deleted and no backup begins while the clock is wrong: what a jump of the clock makes old stays. */
export function createSweeps(shop: Shop): (isStopping?: () => boolean) => Promise<void> {
  const findJump = watchClock(shop)
  return async (isStopping) => {
    const ms = await findJump().catch((error: unknown) => {
      shop.log.warn({ err: error }, 'the clock could not be compared, so nothing is swept away')
    })
    if (ms === 0) await sweep(shop, isStopping)
    if (ms) shop.log.error({ ms }, 'the clock has jumped, so nothing is swept away for an hour')
  }
}

export async function sweep(shop: Shop, isStopping = () => false): Promise<void> {
  const { auth, log } = shop
  for (const sweepOne of [
    () => auth.sweep(),
    () => shop.queue.rescheduleOverdue(shop.db),
    rescheduleOverdueChecks,
    updatePriceHistory,
    sweepUnusedPictures,
    sweepRestore,
    sweepStoredFiles,
    findReturnedFiles,
    sweepOutgoing,
    sweepMessages,
    sweepMails,
    sweepOutbox,
    sweepEvents,
    sweepDownloads,
    sweepGuestCheckouts,
    sweepWaitlist,
    sweepSubscribers,
    sweepExcerptRequests,
    sweepDeliveries,
    sweepDeclarations,
    sweepErasures,
    copyErasedIds,
    sendSummaries,
    checkTax,
    runDueBackup,
  ]) {
    if (isStopping()) return
    await sweepOne(shop).catch((error: unknown) => {
      if (!isStopping()) log.warn({ err: error }, 'something old could not be swept away')
    })
  }
}
