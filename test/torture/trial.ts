// A trial: who comes to the shop while it is killed, and what is found afterwards.
import type { RunningShop } from '../running-shop.ts'
import type { Findings } from './scenario.ts'

export type Trial = AsyncDisposable & {
  /** Settings of the shop. */
  env: Record<string, string>
  /** Resolves once everybody is there. */
  begin(shop: RunningShop): Promise<void>
  /** Resolves when it sells, at a shop that is ready again: milliseconds since `since`. */
  untilSold(since: number): Promise<number>
  /** Everybody gets what they wait for; the shop is still running. */
  end(shop: RunningShop): Promise<void>
  /** The server must have stopped: its database is opened here. */
  audit(): Promise<Omit<Findings, 'recoveries'>>
}
