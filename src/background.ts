// What goes on while requests are answered: jobs, the rounds that are made again and again, word from other processes.
import { listen } from '#platform/db/listen.ts'
import { allJobs, startWorkers } from './jobs.ts'
import type { Services } from './services.ts'
import { sweepFiles } from '#features/ebooks/file-import.ts'
import { sweepMessages } from '#features/messages/messages.ts'
import { checkTax } from '#features/payments/faults.ts'
import { reconcile } from '#features/payments/reconcile.ts'

const sweepMs = 3_600_000

/** The queue, once started, is stopped with the services. */
export async function openBackstage(services: Services): Promise<AsyncDisposable> {
  const { catalogue, config, database, log, queue } = services
  await using undo = new AsyncDisposableStack()
  undo.adopt(
    listen(database.url, 'catalogue', () => catalogue.drop(), log),
    (listener) => listener.close(),
  )
  await queue.start(allJobs(services))
  await startWorkers(services)
  const sweeping = setInterval(() => void sweep(services), sweepMs)
  undo.defer(() => clearInterval(sweeping))
  void checkTax(services)
  if (config.payments) {
    const rounds = createRounds(services)
    const reconciling = setInterval(() => void rounds.next(), config.payments.roundMs)
    undo.defer(() => clearInterval(reconciling))
  }
  return undo.move()
}

/** One at a time in this process; of several processes each may ask, which does no harm. */
function createRounds(services: Services) {
  let isReconciling = false
  return {
    async next(): Promise<void> {
      if (isReconciling) return
      isReconciling = true
      await reconcile(services).catch((error: unknown) =>
        services.log.warn({ err: error }, 'payments could not be reconciled'),
      )
      isReconciling = false
    },
  }
}

/** A failure is only logged: an hour later it is tried again. */
async function sweep(services: Services): Promise<void> {
  const { auth, log } = services
  const missed = (error: unknown) => log.warn({ err: error }, 'something old could not be swept away')
  await auth.sweep().catch(missed)
  await sweepFiles(services).catch(missed)
  await sweepMessages(services).catch(missed)
  await checkTax(services)
}
