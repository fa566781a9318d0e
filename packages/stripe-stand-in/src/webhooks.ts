// Posts events to the shop: signed, and again until it is accepted; or lost, repeated, late and in another order.
import { setTimeout as sleep } from 'node:timers/promises'
import { Stripe } from 'stripe'
import type { Event } from './examples.ts'
import type { Faults } from './faults.ts'

export const webhookSecret = 'whsec_stand_in'

export type Signed = { body: string; headers: Record<string, string> }

const { webhooks } = new Stripe('sk_test_x')

export function signEvent(event: Event, secret = webhookSecret): Signed {
  const body = JSON.stringify(event)
  const signature = webhooks.generateTestHeaderString({ payload: body, secret })
  return { body, headers: { 'stripe-signature': signature, 'content-type': 'application/json' } }
}

/** Stripe goes on for three days; here a shop that is away for some minutes is waited for. */
const tries = 12
const maxPauseMs = 20_000

export type Webhooks = ReturnType<typeof openWebhooks>

export function openWebhooks(faults: Faults, random: () => number) {
  const closing = new AbortController()
  const figures = { sent: 0, heard: 0, lost: 0, repeated: 0, late: 0 }
  let underWay = 0

  async function post(url: string, { body, headers }: Signed): Promise<boolean> {
    figures.sent += 1
    try {
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(10_000)])
      const { ok } = await fetch(url, { method: 'POST', body, headers, signal })
      if (ok) figures.heard += 1
      return ok
    } catch {
      return false
    }
  }

  /** Signed anew at each try, as Stripe does: old signatures are refused. */
  async function postUntilAccepted(url: string, sign: () => Signed): Promise<void> {
    for (let at = 0; at < tries && !closing.signal.aborted; at += 1) {
      if (await post(url, sign())) return
      await sleep(Math.min(500 * 2 ** at, maxPauseMs), undefined, { signal: closing.signal })
    }
  }

  async function deliver(url: string, sign: () => Signed): Promise<void> {
    underWay += 1
    const pause = () => sleep(random() * faults.latest, undefined, { signal: closing.signal })
    try {
      if (random() < faults.lost) {
        figures.lost += 1
        return
      }
      if (random() < faults.late) {
        figures.late += 1
        await pause()
      }
      await postUntilAccepted(url, sign)
      if (random() < faults.repeated) {
        figures.repeated += 1
        await pause()
        await postUntilAccepted(url, sign)
      }
    } catch (error) {
      if (!closing.signal.aborted) throw error
    } finally {
      underWay -= 1
    }
  }

  return {
    figures,
    /** Resolves once it was accepted, or never will be. */
    sendEvent: (url: string, event: Event, secret?: string): Promise<void> =>
      deliver(url, () => signEvent(event, secret)),
    /** True while anything is still to be delivered. */
    isBusy: () => underWay > 0,
    close: () => closing.abort(),
  }
}
