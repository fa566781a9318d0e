import { setTimeout } from 'node:timers/promises'
import { isLocked } from './client.ts'

/** While a change waits for a table, later queries of the table wait behind it. */
export const tableWait = '2s'

const retryMs = 1_000

export type LockRetries = {
  onWait?: ((reason: string) => void) | undefined
  retries?: number | undefined
}

export async function retryWhileLocked(
  run: () => Promise<void>,
  { onWait, retries = 100 }: LockRetries = {},
): Promise<void> {
  for (let retry = 0; ; retry += 1) {
    try {
      await run()
      return
    } catch (error) {
      if (!isLocked(error)) throw error
      if (retry === retries) throw new Error(tablesInUse, { cause: error })
      if (retry === 0)
        onWait?.('Waiting for queries of other processes on the tables that have to be changed')
      await setTimeout(retryMs)
    }
  }
}

const tablesInUse =
  'Other processes use the tables that have to be changed, and do not let go of them: end their queries (pg_stat_activity lists them), and start again.'
