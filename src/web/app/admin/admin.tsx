// The layout of the admin area: its navigation, its counts, and the check that the user is an admin.
import { Outlet, redirect, useLocation, useNavigation, type ShouldRevalidateFunctionArgs } from 'react-router'
import type { TodayApi } from '#domains/overview/today.routes.ts'
import { responseOf, api } from '../../api.ts'
import { AskBeforeLeaving } from '../leave-question.tsx'
import { useFollowSession } from '../private-page.tsx'
import { storedSession } from '../../session/session.ts'
import { Failed } from '../card.tsx'
import { Container } from '../../components/section.tsx'
import { adminClient, deny, load, signInPath } from './calls.tsx'
import type { Route } from './+types/admin.ts'
import { Skeleton } from './skeletons.tsx'
import { ProofDialog } from '../proof-dialog.tsx'
import { unlisted } from '../../page/page-meta.ts'
import { HelpLink, titleOf } from './admin-nav.tsx'

const todayApi = adminClient<TodayApi>()

/** `me` and `counts` are undefined when they could not be loaded. */
export async function clientLoader() {
  if (!storedSession()) return redirect(signInPath())
  const me = await load('The admin area could not be opened', () => responseOf(api.me.$get()))
  if (me && !me.is_admin) return deny()
  const counts = me && (await responseOf(todayApi.counts.$get()).catch(() => undefined))
  return { me, counts }
}

/** The server checks the role at every call. What is done under Needs attention changes the navigation. */
export function shouldRevalidate(args: ShouldRevalidateFunctionArgs) {
  return args.formMethod === undefined
    ? args.defaultShouldRevalidate
    : args.formAction?.startsWith('/admin/payments') === true
}

export function meta({ location, matches }: Route.MetaArgs) {
  return unlisted(titleOf(location.pathname), matches[0].loaderData.book)
}

/** These have the link to their help in a column of their own. */
const hasOwnHelp = /^\/admin\/(setup|settings)(\/|$)/

export default function Admin({ loaderData: { me } }: Route.ComponentProps) {
  useFollowSession(signInPath())
  const { pathname } = useLocation()
  const isLoading = useNavigation().state === 'loading'
  return (
    <>
      <main
        id="main"
        aria-busy={isLoading || undefined}
        className="transition-opacity aria-busy:opacity-60 aria-busy:delay-200"
      >
        <Container className="py-6 sm:py-8 lg:pl-4 print:max-w-none print:p-0">
          {me ? <Outlet /> : <Failed title="The admin area could not be opened" />}
          {!hasOwnHelp.test(pathname) && <HelpLink />}
        </Container>
      </main>
      <AskBeforeLeaving />
      <ProofDialog />
    </>
  )
}

export function HydrateFallback() {
  const { pathname } = useLocation()
  return (
    <main aria-busy="true">
      <Container className="py-6 sm:py-8 lg:pl-4">
        <p className="sr-only" role="status">
          Loading...
        </p>
        <Skeleton pathname={pathname} />
      </Container>
    </main>
  )
}
