// The state of a restore by screen is in the memory of the process: it outlives the shop, which is closed and opened
// again.
import type { FoundBackup, RestoreState } from '#contract/setup/setup-restore.ts'

type WhileClosed = () => Promise<void>

/** `prepare` changes nothing; what it returns swaps the data, and is called while the shop is closed. */
type OpenedBackup = { shown: FoundBackup; prepare: () => Promise<WhileClosed> }

export type Restoring = {
  state: RestoreState
  opened: OpenedBackup | undefined
  /** Puts the data of before back, after a start on the restored ones has failed. */
  goBack: ((failure: unknown) => Promise<void>) | undefined
  /** Resolves when the shop is to be closed, with what is to be done before it is opened again, which never fails. */
  nextClosing: () => Promise<WhileClosed>
  close: (whileClosed: WhileClosed) => void
}

export const noRestore: RestoreState = {
  state: 'none',
  step: null,
  done: 0,
  total: 0,
  backup: null,
  problem: null,
}

export function createRestoring(): Restoring {
  let closing = Promise.withResolvers<WhileClosed>()
  return {
    state: noRestore,
    opened: undefined,
    goBack: undefined,
    nextClosing: () => closing.promise,
    close(whileClosed) {
      closing.resolve(whileClosed)
      closing = Promise.withResolvers()
    },
  }
}
