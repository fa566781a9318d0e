import { notFoundTexts } from '#words/not-found.ts'
import { siteTexts } from '#words/site.ts'
import { useSyncExternalStore } from 'react'
import { ButtonLink } from './components/button.tsx'
import { Container } from './components/container.tsx'
import { SiteFooter, SiteHeader } from './site-frame.tsx'

export function PageNotFound() {
  return (
    <div className="closing-light flex min-h-dvh flex-col">
      <SiteHeader />
      <main id="main" tabIndex={-1} className="grid grow place-items-center py-20 text-center">
        <Container>
          <p aria-hidden className="font-display text-hero text-gold">
            404
          </p>
          <h1 className="mt-6 font-display text-3xl">{notFoundTexts.title}</h1>
          <p className="mx-auto mt-4 max-w-md text-lg text-pretty text-soft">{notFoundTexts.text}</p>
          <p className="mt-8 flex flex-wrap justify-center gap-3">
            <ButtonLink to="/">{siteTexts.returnHome}</ButtonLink>
            <AdminLink />
          </p>
        </Container>
      </main>
      <SiteFooter />
    </div>
  )
}

/** For addresses of the admin area that lead nowhere. The page is rendered once for all addresses, so the browser looks. */
function AdminLink() {
  const isInAdmin = useSyncExternalStore(
    () => () => {},
    () => location.pathname.startsWith('/admin/'),
    () => false,
  )
  if (!isInAdmin) return null
  return (
    <ButtonLink to="/admin" look="outline">
      {notFoundTexts.adminDashboard}
    </ButtonLink>
  )
}
