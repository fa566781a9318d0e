import { siteTexts } from '#words/site.ts'
import { dashboardTexts } from '#words/dashboard.ts'
import type { PostalAddress } from '#contract/orders/postal.ts'
import { isCompleted, type OwnPurchases, type Purchase } from '#contract/orders/purchases.ts'
import { responseOf, api, ProblemError } from '../../api.ts'
import { loadFailure } from '../../copy.ts'
import { isFirstLook, justBought } from '../../just-bought.ts'
import { toast } from '../../toasts.tsx'

export type FoundPurchases = {
  page: OwnPurchases | undefined
  countries: readonly string[]
  lastAddress: PostalAddress | undefined
  bought: { purchase: Purchase; isNew: boolean } | undefined
}

export async function findPurchases(after?: string): Promise<FoundPurchases> {
  try {
    const page = await responseOf(api.purchases.$get({ query: { after } }))
    const isWaiting = page.items.some(({ shipment }) => shipment?.is_to_ship)
    const countries = isWaiting ? await servedCountries() : []
    return { page, countries, lastAddress: findLastAddress(page, countries), bought: findBought(page) }
  } catch (error) {
    const isOver = error instanceof ProblemError && error.status === 401
    if (!isOver) toast(loadFailure(dashboardTexts.purchasesFailed, error))
    // After Sign Out the home page is shown already, and no notice is needed.
    else if (location.pathname !== '/')
      toast({ title: siteTexts.signedOut, description: siteTexts.sessionEnded })
    return { page: undefined, countries: [], lastAddress: undefined, bought: undefined }
  }
}

/** Where books are sent; empty when it could not be had: the server says then what it does not serve. */
async function servedCountries(): Promise<string[]> {
  try {
    return (await responseOf(api.shipping.$get())).countries
  } catch {
    return []
  }
}

function findLastAddress({ items }: OwnPurchases, countries: readonly string[]): PostalAddress | undefined {
  const list = items.flatMap(({ shipment }) =>
    shipment?.address ? [{ ...shipment, ...shipment.address }] : [],
  )
  const [last] = list
    .filter(({ country }) => countries.includes(country))
    .toSorted((a, b) => b.updated_at.localeCompare(a.updated_at))
  return last?.address ?? undefined
}

function findBought({ items }: OwnPurchases): FoundPurchases['bought'] {
  const id = justBought()
  const purchase = items.find((each) => each.id === id)
  if (!purchase || purchase.is_going_back || purchase.withdrawal || purchase.given) return undefined
  return isCompleted(purchase.status) ? { purchase, isNew: isFirstLook(purchase.id) } : undefined
}
