// The frame of the desk: who may come in, the ways out, and the views.
import { Outlet, redirect, useLocation } from 'react-router'
import { answerOf, api } from '../../api.ts'
import { useLeaveWhenSignedOut } from '../../leave-when-signed-out.ts'
import { storedSession } from '../../session.ts'
import { SignOutButton } from '../../sign-out-button.tsx'
import { notices } from '../../copy.ts'
import { Bar } from '../../ui/card.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Container } from '../../ui/container.tsx'
import { Failed } from '../../ui/note.tsx'
import type { Route } from './+types/admin.ts'
import { DeskNav } from './desk-nav.tsx'
import { deny, load, signInPath } from './load.ts'

/** `me` is undefined when it could not be asked who this is. */
export async function clientLoader() {
  if (!storedSession()) return redirect(signInPath())
  const me = await load(notices.deskFailed, () => answerOf(api.me.$get()))
  if (me && !me.is_admin) return deny()
  return { me }
}

/** The server asks at every call whether this still is an admin; the frame need not. */
export function shouldRevalidate({
  formMethod,
  defaultShouldRevalidate,
}: {
  formMethod?: string
  defaultShouldRevalidate: boolean
}) {
  return formMethod === undefined && defaultShouldRevalidate
}

export function meta() {
  return [{ title: 'Admin Dashboard' }, { name: 'robots', content: 'noindex' }]
}

export function HydrateFallback() {
  return (
    <>
      <DeskHeader />
      <DeskSkeleton />
    </>
  )
}

export default function Admin({ loaderData: { me } }: Route.ComponentProps) {
  useLeaveWhenSignedOut(signInPath())
  return (
    <>
      <DeskHeader />
      <main id="main">
        <Container className="py-6 sm:py-8">
          {me ? <Outlet /> : <Failed title="The desk could not be opened" />}
        </Container>
      </main>
    </>
  )
}

function DeskHeader() {
  const isUploading = useLocation().pathname === '/admin/upload'
  return (
    <header className="border-b border-line bg-surface">
      <Container className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 pt-4 pb-1">
        <h1 className="text-lg font-semibold">Admin Dashboard</h1>
        <nav aria-label="Account" className="flex flex-wrap items-center gap-2 max-sm:gap-1 max-sm:text-sm">
          <ButtonLink to="/dashboard" look="quiet" className="max-sm:-ml-3 max-sm:px-3">
            Back to Dashboard
          </ButtonLink>
          <ButtonLink to={isUploading ? '/admin' : '/admin/upload'} className="max-sm:px-3">
            {isUploading ? 'View Dashboard' : 'Upload Ebook'}
          </ButtonLink>
          <SignOutButton />
        </nav>
      </Container>
      <DeskNav />
    </header>
  )
}

function DeskSkeleton() {
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
