// A declaration whose response was lost on its way.
import type { Withdrawal } from '#contract/orders/purchases.ts'
import { ProblemError } from '../notices/send.ts'

export type Declared = { withdrawal: Withdrawal | null }

/** A former declaration may be refused, or its money be back: it may have been declared again. */
const received = new Set<Withdrawal['state']>(['waiting', 'on_its_way', 'given'])

/** The response may be lost after the shop has received the declaration: the purchase says whether it has. */
export const orReceived =
  <Read extends Declared>(read: () => Promise<Read>) =>
  async (cause: unknown): Promise<Read> => {
    const isRefused = cause instanceof ProblemError && cause.status < 500
    const purchase = isRefused ? undefined : await read().catch(() => undefined)
    const state = purchase?.withdrawal?.state
    if (!purchase || !state || !received.has(state)) throw cause
    return purchase
  }
