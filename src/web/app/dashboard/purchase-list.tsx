// The list of a reader’s purchases.
import { dashboardTexts } from '#words/dashboard.ts'
import { CloudOff } from '../../components/further-icons.tsx'
import { BookOpen } from '../../components/icons.tsx'
import { useEffect, useRef, useTransition, type ComponentProps, type ReactNode } from 'react'
import { useFetcher, useRevalidator } from 'react-router'
import type { OwnPurchases, Purchase } from '#contract/orders/purchases.ts'
import { isCompleted } from '#contract/orders/purchase-status.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { PurchaseRow } from './purchase-row.tsx'
import { Container } from '../../components/section.tsx'
import type { PostalAddress } from '#contract/orders/postal.ts'
import { responseOf, api, ProblemError } from '../../api.ts'
import { loadFailure } from '../../notices/send.ts'
import { isFirstLook, justBought } from '../../purchase/just-bought.ts'
import { namedNotice } from '../../notices/named-notice.ts'
import { toast } from '../../notices/toasts.tsx'
import { storedSession } from '../../session/session.ts'

export function PurchaseList({ page, countries, lastAddress }: FoundPurchases) {
  return (
    <section aria-labelledby="purchases">
      <h2 id="purchases" tabIndex={-1} className="mb-5 font-display text-2xl font-semibold">
        {dashboardTexts.yourPurchases}
      </h2>
      {!page && <Failed />}
      {page?.items.length === 0 && (
        <Note
          icon={<BookOpen aria-hidden className="size-10" strokeWidth={1.25} />}
          title={dashboardTexts.noPurchases}
        >
          <p className="mt-2 text-soft">{dashboardTexts.appearsHere}</p>
          <ButtonLink to="/#book-sales" className="mt-6">
            {dashboardTexts.browse}
          </ButtonLink>
          <ButtonLink to="/find-purchase" look="quiet" className="mt-3">
            {dashboardTexts.findPurchase}
          </ButtonLink>
        </Note>
      )}
      {page && page.items.length > 0 && (
        <div className="divide-y divide-line rounded-lg border border-line bg-surface">
          <PurchasePage page={page} countries={countries} lastAddress={lastAddress} />
        </div>
      )}
    </section>
  )
}

type PurchasePageProps = ComponentProps<'ul'> &
  Pick<FoundPurchases, 'countries' | 'lastAddress'> & { page: OwnPurchases }

function PurchasePage({ page, countries, lastAddress, ...list }: PurchasePageProps) {
  return (
    <>
      <ul className="divide-y divide-line" {...list}>
        {page.items.map((purchase) => (
          <PurchaseRow
            key={purchase.id}
            purchase={purchase}
            countries={countries}
            lastAddress={lastAddress}
          />
        ))}
      </ul>
      {page.next && <EarlierPurchases key={page.next} after={page.next} />}
    </>
  )
}

function EarlierPurchases({ after }: { after: string }) {
  const fetcher = useFetcher<{ found: FoundPurchases }>({ key: after })
  const { page, countries = [], lastAddress } = fetcher.data?.found ?? {}
  const isShown = page !== undefined
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    if (isShown && document.activeElement === document.body) list.current?.focus({ preventScroll: true })
  }, [isShown])
  if (!page) {
    const isBusy = fetcher.state !== 'idle'
    const show = () => fetcher.load(`/dashboard?after=${encodeURIComponent(after)}`)
    return (
      <div className="grid justify-items-center p-4">
        <Button look="quiet" disabled={isBusy} onClick={() => void show()}>
          {isBusy ? dashboardTexts.loading : dashboardTexts.showMore}
        </Button>
      </div>
    )
  }
  return (
    <PurchasePage
      page={page}
      countries={countries}
      lastAddress={lastAddress}
      ref={list}
      tabIndex={-1}
      aria-label={dashboardTexts.earlier}
    />
  )
}

function Failed() {
  const { revalidate } = useRevalidator()
  // The transition ends once the answer is shown: the router is ready as soon as it is asked.
  const [isAsking, ask] = useTransition()
  return (
    <Note
      icon={<CloudOff aria-hidden className="size-10" strokeWidth={1.25} />}
      title={dashboardTexts.notLoaded}
    >
      <p className="mt-2 text-soft">{dashboardTexts.safe}</p>
      <Button className="mt-6" disabled={isAsking} onClick={() => ask(() => revalidate())}>
        {isAsking ? dashboardTexts.loading : dashboardTexts.tryAgain}
      </Button>
    </Note>
  )
}

function Note({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <div className="grid justify-items-center rounded-lg border border-line bg-surface px-6 py-14 text-center text-balance">
      <span className="text-gold-text">{icon}</span>
      <h3 className="mt-4 font-display text-xl font-semibold">{title}</h3>
      {children}
    </div>
  )
}

export function DashboardSkeleton() {
  return (
    <>
      <header className="border-b border-line bg-surface">
        <Container className="flex min-h-25.5 flex-wrap items-center justify-between gap-x-6 gap-y-3 py-5">
          <Bar className="h-7 w-64" />
          <Bar className="h-11 w-52 max-sm:w-full" />
        </Container>
      </header>
      <main>
        <Container className="py-8 sm:py-12">
          <PurchasesSkeleton />
        </Container>
      </main>
    </>
  )
}

export function PurchasesSkeleton() {
  return (
    <div aria-busy="true" className="flex flex-col">
      <p className="sr-only" role="status">
        {dashboardTexts.loadingPurchases}
      </p>
      <div className="mb-12 grid max-sm:order-last max-sm:mt-8 max-sm:mb-0 sm:grid-cols-3 sm:gap-4">
        {[1, 2, 3].map((card) => (
          <Bar key={card} className="h-12 sm:h-30" />
        ))}
      </div>
      <Bar className="mb-5 h-8 w-48" />
      <Bar className="h-56" />
    </div>
  )
}

function Bar({ className }: { className: string }) {
  return <div className={`max-w-full animate-pulse rounded-lg bg-ink/8 ${className}`} />
}

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
    // A renewal that is refused ends the session, and no call is made.
    const isOver = (error instanceof ProblemError && error.status === 401) || !storedSession()
    if (!isOver) toast(loadFailure(dashboardTexts.purchasesFailed, error))
    // The home page is shown after Sign Out, and no notice is needed.
    else if (location.pathname !== '/') toast(namedNotice('session-ended'))
    return { page: undefined, countries: [], lastAddress: undefined, bought: undefined }
  }
}

/**
 * Returns the countries where books are sent; none where they could not be read: the server then says which it does not
 * serve.
 */
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
