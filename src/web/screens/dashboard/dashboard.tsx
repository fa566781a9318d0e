import { dashboardTexts } from '#words/dashboard.ts'
import { fill } from '#words/fill.ts'
import { Suspense } from 'react'
import { Await, Link, redirect } from 'react-router'
import { api, responseOf } from '../../api.ts'
import { readText } from '../../form.ts'
import { AskBeforeLeaving } from '../../ask-before-leaving.tsx'
import { useFollowSession, useFocusOnArrival } from '../../private-page.ts'
import { declare } from '../../refund-button.tsx'
import { storedSession, useMe, useSession } from '../../session.ts'
import { SignOutButton } from '../../sign-out-button.tsx'
import { ButtonLink } from '../../components/button.tsx'
import { Container } from '../../components/container.tsx'
import type { Route } from './+types/dashboard.ts'
import { download } from '../../downloads.tsx'
import { PurchaseList } from './purchase-list.tsx'
import { findPurchases, type FoundPurchases } from './find-purchases.ts'
import { ConfirmPayment } from './confirm-payment.tsx'
import { continuePayment } from './continue-payment.tsx'
import { ErasureNotice } from './erasure-notice.tsx'
import { Greeting } from './greeting.tsx'
import { giveCopy, mailGift, takeCopyBack } from './give-copy.ts'
import { correctAddress } from './address-button.tsx'
import { DashboardSkeleton, PurchasesSkeleton } from './skeleton.tsx'
import type { OwnPurchases } from '#contract/orders/purchases.ts'

const signInPath = '/auth?next=/dashboard'

/** The first page is not awaited: the screen comes at once, with its purchases still on their way. */
export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  if (!storedSession()) return redirect(signInPath)
  const after = new URL(request.url).searchParams.get('after')
  return { found: after ? await findPurchases(after) : findPurchases() }
}

export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = await request.formData()
  const action = actions[readText(form, 'intent')] ?? download
  return (await action(form)) ?? null
}

const actions: Record<string, (form: FormData) => Promise<unknown>> = {
  refund: (form) =>
    declare(form, (reason) =>
      responseOf(
        api.purchases[':id'].refund.$post({ param: { id: readText(form, 'purchase_id') }, json: { reason } }),
      ),
    ),
  pay: continuePayment,
  address: correctAddress,
  give: giveCopy,
  mail_gift: mailGift,
  take_back: takeCopyBack,
}

/** A download changes nothing that is shown. */
export function shouldRevalidate({ formData }: { formData?: FormData }) {
  return formData === undefined || formData.has('intent')
}

export function meta() {
  return [{ title: dashboardTexts.page }, { name: 'robots', content: 'noindex' }]
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
    <>
      {bought && (
        <Greeting key={bought.purchase.id} {...found} {...bought} email={email} readsMails={readsMails} />
      )}
      {page && <Stats totals={page.totals} />}
      <PurchaseList {...found} />
    </>
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

function Stats({ totals }: Pick<OwnPurchases, 'totals'>) {
  return (
    <dl className="mb-12 grid gap-3 sm:grid-cols-3 sm:gap-4">
      <Stat name={dashboardTexts.totalPurchases} value={totals.purchases} />
      <Stat name={dashboardTexts.digitalDownloads} value={totals.digital} />
      <Stat name={dashboardTexts.accountStatus} value={dashboardTexts.active} />
    </dl>
  )
}

function Stat({ name, value }: { name: string; value: string | number }) {
  return (
    <div className="rounded-lg border border-line bg-surface p-6 max-sm:flex max-sm:items-center max-sm:justify-between max-sm:px-5 max-sm:py-3">
      <dt className="text-sm text-soft">{name}</dt>
      <dd className="font-display text-2xl font-semibold tabular-nums sm:mt-1 sm:text-3xl">{value}</dd>
    </div>
  )
}
