// A reader's purchases and their files.
import { redirect } from 'react-router'
import type { Purchase } from '#contract/purchases.ts'
import { answerOf, api, ProblemError } from '../../api.ts'
import { loadFailure, notices } from '../../copy.ts'
import { useFollowSession } from '../../follow-session.ts'
import { storedSession, useIsAdmin, useSession } from '../../session.ts'
import { SignOutButton } from '../../sign-out-button.tsx'
import { toast } from '../../toasts.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Container } from '../../ui/container.tsx'
import type { Route } from './+types/dashboard.ts'
import { download } from './download.ts'
import { PurchaseList } from './purchase-list.tsx'
import { ConfirmPayment } from './confirm-payment.tsx'
import { continuePayment } from './continue-payment.tsx'
import { requestRefund } from './refund.tsx'
import { correctAddress } from './shipment.tsx'
import { DashboardSkeleton } from './skeleton.tsx'
import { Stats } from './stats.tsx'

const signInPath = '/auth?next=/dashboard'

/** `purchases` is undefined when they could not be had. */
export async function clientLoader() {
  if (!storedSession()) return redirect(signInPath)
  try {
    const answer = await api.purchases.$get()
    const purchases = (await answer.json()) as Purchase[]
    const isWaiting = purchases.some(({ shipment }) => shipment?.is_to_ship)
    return { purchases, countries: isWaiting ? await servedCountries() : [] }
  } catch (error) {
    if (error instanceof ProblemError && error.status === 401) {
      toast(notices.sessionEnded)
      return redirect(signInPath)
    }
    toast(loadFailure(notices.purchasesFailed, error))
    return { purchases: undefined, countries: [] }
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

export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = await request.formData()
  const deed = deeds[form.get('intent') as keyof typeof deeds] ?? download
  return (await deed(form)) ?? null
}

const deeds = { refund: requestRefund, pay: continuePayment, address: correctAddress }

/** A download changes nothing that is shown. */
export function shouldRevalidate({ formData }: { formData?: FormData }) {
  return formData === undefined || formData.has('intent')
}

export function meta() {
  return [{ title: 'Your purchases' }, { name: 'robots', content: 'noindex' }]
}

export function HydrateFallback() {
  return <DashboardSkeleton />
}

export default function Dashboard({ loaderData: { purchases, countries } }: Route.ComponentProps) {
  const email = useSession()?.user.email
  useFollowSession(signInPath)
  return (
    <>
      <DashboardHeader email={email} />
      <main>
        <Container className="py-8 sm:py-12">
          <ConfirmPayment />
          {purchases && <Stats purchases={purchases} />}
          <PurchaseList purchases={purchases} countries={countries} />
        </Container>
      </main>
    </>
  )
}

function DashboardHeader({ email }: { email: string | undefined }) {
  return (
    <header className="border-b border-line bg-surface">
      <Container className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-5 md:flex-nowrap">
        <h1 className="min-w-0 text-lg font-semibold break-words">Welcome, {email}</h1>
        <nav aria-label="Account" className="flex shrink-0 flex-wrap items-center gap-2 max-sm:w-full">
          <ButtonLink to="/" look="quiet" className="max-sm:-ml-3 max-sm:px-3">
            Back to Home
          </ButtonLink>
          <SignOutButton className="max-sm:ml-auto" />
          {useIsAdmin() && (
            <ButtonLink to="/admin" className="max-sm:w-full">
              Admin Dashboard
            </ButtonLink>
          )}
        </nav>
      </Container>
    </header>
  )
}
