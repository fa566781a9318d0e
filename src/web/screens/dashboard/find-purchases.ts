// A page of a reader's purchases, and where books are sent when one of them waits for its parcel.
import type { OwnPurchases } from '#contract/purchases.ts'
import { answerOf, api, ProblemError } from '../../api.ts'
import { loadFailure, notices } from '../../copy.ts'
import { toast } from '../../toasts.tsx'

/** `page` is undefined when it could not be had. */
export type FoundPurchases = { page: OwnPurchases | undefined; countries: readonly string[] }

/** `after` is the `next` of the page before it. */
export async function findPurchases(after?: string): Promise<FoundPurchases> {
  try {
    const page = await answerOf(api.purchases.$get({ query: { after } }))
    const isWaiting = page.items.some(({ shipment }) => shipment?.is_to_ship)
    return { page, countries: isWaiting ? await servedCountries() : [] }
  } catch (error) {
    const isOver = error instanceof ProblemError && error.status === 401
    if (!isOver) toast(loadFailure(notices.purchasesFailed, error))
    // Whoever pressed Sign Out meanwhile went home first, and knows.
    else if (location.pathname !== '/') toast(notices.sessionEnded)
    return { page: undefined, countries: [] }
  }
}

/** Where books are sent; empty when it could not be had: the server says then what it does not serve. */
async function servedCountries(): Promise<string[]> {
  try {
    return (await answerOf(api.shipping.$get())).countries
  } catch {
    return []
  }
}
