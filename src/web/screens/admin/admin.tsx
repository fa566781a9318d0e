import { Outlet, redirect, useLocation, useNavigation, type ShouldRevalidateFunctionArgs } from 'react-router'
import type { AttentionCount } from '#features/payments/contract/needs-attention.ts'
import type { AttentionApi } from '#features/payments/admin-routes.ts'
import { responseOf, api } from '../../api.ts'
import { AskBeforeLeaving } from '../../ask-before-leaving.tsx'
import { useFocusOnArrival, useFollowSession } from '../../private-page.ts'
import { storedSession } from '../../session.ts'
import { SignOutButton } from '../../sign-out-button.tsx'
import { Bar } from '../../components/card.tsx'
import { ButtonLink } from '../../components/button.tsx'
import { Container } from '../../components/container.tsx'
import { Failed } from '../../components/failed.tsx'
import { adminClient, deny, load, signInPath } from './admin-client.ts'
import type { Route } from './+types/admin.ts'
import { ProofDialog } from '../../proof-dialog.tsx'
import { AdminNav, titleOf } from './admin-nav.tsx'

const needsApi = adminClient<AttentionApi>()

/** `me` and `needs` are undefined when they could not be loaded. */
export async function clientLoader() {
  if (!storedSession()) return redirect(signInPath())
  const me = await load('The admin area could not be opened', () => responseOf(api.me.$get()))
  if (me && !me.is_admin) return deny()
  const needs = me && (await responseOf(needsApi.payments.count.$get()).catch(() => undefined))
  return { me, needs }
}

const changesNav = ['/admin/payments', '/admin/settings/mail']

/** The server checks the role at every call. */
export function shouldRevalidate(args: ShouldRevalidateFunctionArgs) {
  return args.formMethod === undefined
    ? args.defaultShouldRevalidate
    : changesNav.some((path) => args.formAction?.startsWith(path))
}

export function meta({ location }: Route.MetaArgs) {
  return [{ title: titleOf(location.pathname) }, { name: 'robots', content: 'noindex' }]
}

export function HydrateFallback() {
  return (
    <>
      <AdminHeader />
      <AdminSkeleton />
    </>
  )
}

export default function Admin({ loaderData: { me, needs } }: Route.ComponentProps) {
  useFollowSession(signInPath())
  const isLoading = useNavigation().state === 'loading'
  return (
    <>
      <AdminHeader needs={needs} readsMails={me?.reads_mails} />
      <main
        id="main"
        aria-busy={isLoading || undefined}
        className="transition-opacity aria-busy:opacity-60 aria-busy:delay-200"
      >
        <Container className="py-6 sm:py-8 print:max-w-none print:p-0">
          {me ? <Outlet /> : <Failed title="The admin area could not be opened" />}
        </Container>
      </main>
      <AskBeforeLeaving />
      <ProofDialog />
    </>
  )
}

type AdminHeaderProps = { needs?: AttentionCount | undefined; readsMails?: boolean | undefined }

function AdminHeader({ needs, readsMails = false }: AdminHeaderProps) {
  const heading = useFocusOnArrival()
  const isUploading = useLocation().pathname === '/admin/upload'
  return (
    <header className="border-b border-line bg-surface print:hidden">
      <Container className="flex flex-wrap items-center justify-between gap-x-2 gap-y-2 pt-3 pb-1 sm:pt-4">
        <h1 ref={heading} tabIndex={-1} className="text-lg font-semibold">
          Admin Dashboard
        </h1>
        <nav aria-label="Account" className="flex items-center gap-2 max-sm:contents">
          <ButtonLink to="/dashboard" look="quiet" className="max-sm:-mr-3 max-sm:px-3 max-sm:text-sm">
            Back to Dashboard
          </ButtonLink>
          <ButtonLink to={isUploading ? '/admin' : '/admin/upload'} className="max-sm:grow max-sm:px-3">
            {isUploading ? 'View Dashboard' : 'Upload Ebook'}
          </ButtonLink>
          <SignOutButton className="max-sm:grow" />
        </nav>
      </Container>
      <AdminNav needs={needs} readsMails={readsMails} />
    </header>
  )
}

function AdminSkeleton() {
  return (
    <main aria-busy="true">
      <Container className="py-6 sm:py-8">
        <p className="sr-only" role="status">
          Loading...
        </p>
        <div className="grid gap-3 sm:grid-cols-4">
          {[1, 2, 3, 4].map((card) => (
            <Bar key={card} className="h-24" />
          ))}
        </div>
        <Bar className="mt-6 h-80" />
      </Container>
    </main>
  )
}
