// The dashboard of a reader: a new purchase with its files or its parcel, all purchases, and their totals.
import { dashboardTexts } from '#words/dashboard.ts'
import { guestTexts } from '#words/guest.ts'
import { useEffect, useState, useId, type ReactNode, Suspense } from 'react'
import { useNavigation, useRevalidator, useSearchParams, Link, Await, redirect } from 'react-router'
import type { Purchase, OwnPurchases } from '#contract/orders/purchases.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { api, ProblemError, responseOf } from '../../api.ts'
import { failure } from '../../notices/send.ts'
import { announcePurchase, clearPurchase, justBought } from '../../purchase/just-bought.ts'
import { toast } from '../../notices/toasts.tsx'
import { Spinner, ButtonLink } from '../../components/button.tsx'
import { accountTexts } from '#words/account.ts'
import { fill } from '#words/texts.ts'
import { formatDate, formatMoney } from '../../format/format.tsx'
import { Callout } from '../../components/note.tsx'
import { fillParts } from '../../format/fill-parts.tsx'
import { X } from '../../components/icons.tsx'
import { addressLines, type PostalAddress } from '#contract/orders/postal.ts'
import { useSendsMail } from '../../shop.ts'
import { ReleaseNote } from './release-note.tsx'
import { AddressButton, DeliveredIn } from './shipment.tsx'
import { Downloads } from '../../purchase/downloads.tsx'
import { HowToRead } from '../../purchase/how-to-read.tsx'
import { downloadOf, continuePayment, mailGift, takeCopyBack } from './own-purchase.tsx'
import { readText } from '../../forms/form.ts'
import { AskBeforeLeaving } from '../leave-question.tsx'
import { useFollowSession, useFocusOnArrival } from '../private-page.tsx'
import { storedSession } from '../../session/session.ts'
import { useMe, useSession } from '../../session/use-session.ts'
import { SignOutButton } from '../../session/sign-out-button.tsx'
import { Container } from '../../components/section.tsx'
import type { Route } from './+types/dashboard.ts'
import { unlisted } from '../../page/page-meta.ts'
import {
  PurchaseList,
  DashboardSkeleton,
  PurchasesSkeleton,
  findPurchases,
  type FoundPurchases,
} from './purchase-list.tsx'

const pauseMs = 1_500
const tries = 20

function ConfirmPayment() {
  const [search, setSearch] = useSearchParams()
  const { state } = useNavigation()
  const [confirmed, setConfirmed] = useState<string>()
  const id = search.get('paid')
  useEffect(() => {
    if (!id) return undefined
    const leaving = new AbortController()
    const finish = async () => {
      if (await confirm(id, leaving.signal)) setConfirmed(id)
    }
    void finish()
    return () => leaving.abort()
  }, [id])
  // Another navigation that is under way is not cancelled by this one, which loads the purchases anew.
  const isOver = id !== null && confirmed === id && state === 'idle'
  useEffect(() => {
    if (isOver) setSearch({}, { replace: true })
  }, [isOver, setSearch])
  if (!id) return null
  return (
    <p role="status" className="mb-8 flex items-center gap-3 rounded-lg border border-gold/60 bg-gold/10 p-5">
      <Spinner />
      {dashboardTexts.confirmingPayment}
    </p>
  )
}

async function confirm(id: string, leaving: AbortSignal): Promise<boolean> {
  try {
    for (let attempt = 0; attempt < tries; attempt += 1) {
      const purchase = await settle(id)
      if (leaving.aborted) return false
      if (purchase?.status === 'completed') {
        announcePurchase(purchase)
      }
      if (purchase?.status === 'canceled' && !purchase.is_held) toast(dashboardTexts.paymentCanceled)
      if (purchase && (purchase.status !== 'pending' || purchase.is_held)) return true
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
    toast({ title: dashboardTexts.notConfirmed, description: dashboardTexts.bankIsSlow })
  } catch (error) {
    if (leaving.aborted) return false
    toast(failure(dashboardTexts.notConfirmed, error))
  }
  return true
}

/** Undefined while the payment service cannot be asked: a buyer who has just paid is not shown that. */
async function settle(id: string): Promise<Purchase | undefined> {
  try {
    return await responseOf(api.purchases[':id'].settle.$post({ param: { id } }))
  } catch (error) {
    if (error instanceof ProblemError && error.status === 503) return undefined
    throw error
  }
}

/** A reader who buys before the erasure has to know of it. */
function ErasureNotice() {
  const [due_at, setDueAt] = useState<string | null>(null)
  useEffect(() => {
    responseOf(api.account.erasure.$get()).then(
      (erasure) => setDueAt(erasure.due_at),
      // The purchases are shown without it; the account page says what failed.
      () => undefined,
    )
  }, [])
  if (!due_at) return null
  return (
    <Callout role="alert" className="mb-8 flex flex-wrap items-center gap-x-6 gap-y-2">
      <p className="font-semibold">{fill(accountTexts.erasure.due, { date: formatDate(due_at) })}</p>
      <Link to="/account" className="inline-flex min-h-8 items-center underline underline-offset-4">
        {dashboardTexts.yourAccount}
      </Link>
    </Callout>
  )
}

type GreetingProps = {
  purchase: Purchase
  isNew: boolean
  email: string | undefined
  readsMails: boolean
  countries: readonly string[]
  lastAddress: PostalAddress | undefined
}

function Greeting(props: GreetingProps) {
  const { purchase, isNew, email, readsMails, countries, lastAddress } = props
  const titleId = useId()
  const sendsMail = useSendsMail()
  const [isClosed, setIsClosed] = useState(false)
  if (isClosed) return null
  const { id, number, amount, currency, product, shipment } = purchase
  function close() {
    clearPurchase()
    setIsClosed(true)
    document.getElementById('purchases')?.focus()
  }
  return (
    <section
      aria-labelledby={titleId}
      className="relative mb-8 rounded-lg border border-gold/60 bg-surface p-6 shadow-lg shadow-gold/10 sm:mb-10 sm:p-8"
    >
      <button
        type="button"
        aria-label={dashboardTexts.dismiss}
        className="absolute top-3 end-3 grid size-11 cursor-pointer place-items-center rounded-md text-soft hover:text-ink"
        onClick={close}
      >
        <X aria-hidden className="size-5" />
      </button>
      <h2 id={titleId} className="pe-10 font-display text-2xl font-semibold text-balance wrap-anywhere">
        {fill(dashboardTexts.thanks, { product: product.name })}
      </h2>
      <p className="mt-2 text-soft tabular-nums">
        {fill(dashboardTexts.orderPaid, {
          number: formatOrderNumber(number),
          amount: formatMoney(amount, currency),
        })}{' '}
        {sendsMail
          ? fillParts(dashboardTexts.receiptGoesTo, {
              email: <span className="wrap-anywhere text-ink">{email}</span>,
            })
          : dashboardTexts.findReceipt}{' '}
        <Link
          to={`/dashboard/receipts/${id}`}
          className="rounded-sm font-semibold text-ink underline underline-offset-4"
        >
          {dashboardTexts.yourReceipt}
        </Link>
      </p>
      {readsMails && (
        <p className="mt-2 text-soft">
          {fillParts(dashboardTexts.emailNotSetUp, {
            link: (
              <Link
                to="/admin/mails"
                className="rounded-sm font-semibold text-ink underline underline-offset-4"
              >
                {dashboardTexts.readEmail}
              </Link>
            ),
          })}
        </p>
      )}
      <ReleaseNote purchase={purchase} className="mt-2" />
      <div className="mt-6 grid gap-x-10 gap-y-6 empty:hidden lg:grid-cols-2">
        {product.download_url && <Files purchase={purchase} />}
        {shipment?.is_to_ship && (
          <Parcel
            purchase={purchase}
            isNew={isNew}
            address={shipment.address}
            countries={countries}
            lastAddress={lastAddress}
          />
        )}
      </div>
      <HowToRead files={product.files} />
    </section>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <h3 className="mb-2.5 font-semibold">{title}</h3>
      {children}
    </div>
  )
}

function Files({ purchase: { id, product } }: { purchase: Purchase }) {
  const { revalidate } = useRevalidator()
  return (
    <Part title={dashboardTexts.yourFiles}>
      <Downloads product={product} ask={downloadOf(id)} onChanged={() => void revalidate()} />
    </Part>
  )
}

type ParcelProps = Omit<GreetingProps, 'email' | 'readsMails'> & { address: PostalAddress | null }

function Parcel({ purchase, isNew, address, countries, lastAddress }: ParcelProps) {
  const { release } = purchase.product
  return (
    <Part title={dashboardTexts.yourParcel}>
      {address ? (
        <p className="text-soft">
          <span>
            {fillParts(dashboardTexts.willShip, {
              address: <span className="wrap-anywhere text-ink">{addressLines(address).join(', ')}</span>,
            })}
          </span>
          {release?.is_partial && <span>{` ${guestTexts.parcelTogether}`}</span>}
          <DeliveredIn product={purchase.product} />
        </p>
      ) : (
        <>
          <p className="mb-3 text-soft">{dashboardTexts.needAddressFirst}</p>
          <AddressButton
            purchase={purchase}
            label={dashboardTexts.tellUs}
            countries={countries}
            lastAddress={lastAddress}
            opensAtOnce={isNew}
          />
        </>
      )}
    </Part>
  )
}

const signInPath = '/auth?next=/dashboard'

/** The first page is not awaited: the screen comes at once, with its purchases still on their way. */
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  if (!storedSession()) return redirect(signInPath)
  const { searchParams } = new URL(request.url)
  const paid = searchParams.get('paid')
  // The next purchase is being confirmed.
  if (paid && justBought() !== paid) clearPurchase()
  const after = searchParams.get('after')
  return { found: after ? await findPurchases(after) : findPurchases() }
}

export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = await request.formData()
  return (await actions[readText(form, 'intent')]?.(form)) ?? null
}

const actions: Record<string, (form: FormData) => Promise<unknown>> = {
  pay: continuePayment,
  mail_gift: mailGift,
  take_back: takeCopyBack,
}

export function meta({ matches }: Route.MetaArgs) {
  return unlisted(dashboardTexts.page, matches[0].loaderData.book)
}

export function HydrateFallback() {
  return <DashboardSkeleton />
}

export default function Dashboard({ loaderData: { found } }: Route.ComponentProps) {
  const session = useSession()
  const { isAdmin, readsMails } = useMe()
  useFollowSession(signInPath)
  // Signed out by the server or in another tab: on the way to the sign-in.
  if (!session) return <DashboardSkeleton />
  return (
    <>
      <DashboardHeader email={session.user.email} isAdmin={isAdmin} />
      <main>
        <Container className="py-8 sm:py-12">
          <ErasureNotice />
          <ConfirmPayment />
          <Suspense fallback={<PurchasesSkeleton />}>
            <Await resolve={found}>
              {(all) => <Purchases {...all} email={session.user.email} readsMails={readsMails} />}
            </Await>
          </Suspense>
        </Container>
      </main>
      <AskBeforeLeaving />
    </>
  )
}

type PurchasesProps = FoundPurchases & { email: string | undefined; readsMails: boolean }

function Purchases({ email, readsMails, ...found }: PurchasesProps) {
  const { page, bought } = found
  return (
    <div className="flex flex-col">
      {bought && (
        <Greeting key={bought.purchase.id} {...found} {...bought} email={email} readsMails={readsMails} />
      )}
      {page && <Stats totals={page.totals} />}
      <PurchaseList {...found} />
    </div>
  )
}

function DashboardHeader({ email, isAdmin }: { email: string | undefined; isAdmin: boolean }) {
  const heading = useFocusOnArrival()
  return (
    <header className="border-b border-line bg-surface">
      <Container className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-5 md:flex-nowrap">
        <div className="min-w-0">
          <h1 ref={heading} tabIndex={-1} className="text-lg font-semibold break-words">
            {fill(dashboardTexts.welcome, { email: email ?? '' })}
          </h1>
          <Link
            to="/account"
            className="inline-flex min-h-8 items-center text-sm text-soft underline underline-offset-4 hover:text-ink"
          >
            {dashboardTexts.yourAccount}
          </Link>
        </div>
        <nav
          aria-label={dashboardTexts.account}
          className="flex shrink-0 flex-wrap items-center gap-2 max-sm:w-full"
        >
          <ButtonLink to="/" look="quiet" className="max-sm:-ms-3 max-sm:px-3">
            {dashboardTexts.backHome}
          </ButtonLink>
          <SignOutButton className="max-sm:ml-auto" />
          {isAdmin && (
            <ButtonLink to="/admin" className="max-sm:w-full">
              {dashboardTexts.admin}
            </ButtonLink>
          )}
        </nav>
      </Container>
    </header>
  )
}

/** The figures stand below the purchases on a phone, since readers come for those; nothing in them takes the focus. */
function Stats({ totals }: Pick<OwnPurchases, 'totals'>) {
  return (
    <dl className="mb-12 grid max-sm:order-last max-sm:mt-8 max-sm:mb-0 max-sm:divide-y max-sm:divide-line max-sm:rounded-lg max-sm:border max-sm:border-line max-sm:bg-surface sm:grid-cols-3 sm:gap-4">
      <Stat name={dashboardTexts.totalPurchases} value={totals.purchases} />
      <Stat name={dashboardTexts.digitalDownloads} value={totals.digital} />
      <Stat name={dashboardTexts.accountStatus} value={dashboardTexts.active} />
    </dl>
  )
}

function Stat({ name, value }: { name: string; value: string | number }) {
  return (
    <div className="max-sm:flex max-sm:items-center max-sm:justify-between max-sm:px-5 max-sm:py-2.5 sm:rounded-lg sm:border sm:border-line sm:bg-surface sm:p-6">
      <dt className="text-sm text-soft">{name}</dt>
      <dd className="font-display text-lg font-semibold lining-nums tabular-nums sm:mt-1 sm:text-3xl">
        {value}
      </dd>
    </div>
  )
}
