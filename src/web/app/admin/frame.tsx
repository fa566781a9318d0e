// Around every screen of the admin area: the header and the navigation.
import { NavLink, useLocation, Outlet, useRouteLoaderData } from 'react-router'
import { useFocusOnArrival } from '../private-page.tsx'
import { SignOutButton } from '../../sign-out-button.tsx'
import { ButtonLink } from '../../components/button.tsx'
import { ExternalLink } from '../../components/further-icons.tsx'
import { AdminDrawer, type AdminNavProps, AdminNav, FindButton } from './admin-nav.tsx'
import { TextLink } from './links.tsx'
import type { clientLoader as adminLoader } from './admin.tsx'
import type { clientLoader as setupLoader } from './setup/setup.tsx'

/** Its words are those of the product's description. */
function AdminHeader(props: AdminNavProps) {
  const heading = useFocusOnArrival()
  const isUploading = useLocation().pathname === '/admin/upload'
  return (
    <header className="border-b border-line bg-surface print:hidden">
      <div className="mx-auto flex max-w-[90rem] flex-wrap items-center gap-x-2 gap-y-2 px-5 py-3 sm:gap-x-3 sm:px-8">
        <AdminDrawer {...props} />
        <div className="mr-auto flex flex-wrap items-baseline gap-x-2.5 sm:gap-x-4">
          <h1 ref={heading} tabIndex={-1} className="font-semibold sm:text-lg">
            Admin Dashboard
          </h1>
          <TextLink to="/" className="inline-flex items-center gap-1.5 text-sm text-soft">
            View shop
            <ExternalLink aria-hidden className="size-3.5 max-sm:hidden" />
          </TextLink>
        </div>
        <FindButton />
        <ViewSwitch />
        <nav aria-label="Account" className="flex flex-wrap items-center gap-x-2 gap-y-2 max-sm:contents">
          <ButtonLink to="/dashboard" look="quiet" className="max-sm:px-2 max-sm:text-sm">
            Back to Dashboard
          </ButtonLink>
          <ButtonLink
            look="outline"
            to={isUploading ? '/admin' : '/admin/upload'}
            className="max-sm:grow max-sm:px-3"
          >
            {isUploading ? 'View Dashboard' : 'Upload Ebook'}
          </ButtonLink>
          <SignOutButton className="max-sm:grow" />
        </nav>
      </div>
    </header>
  )
}

const switched = [
  { to: '/admin', title: 'Dashboard' },
  { to: '/admin/users', title: 'Users' },
]

function ViewSwitch() {
  return (
    <nav aria-label="Dashboard or users" className="flex rounded-md border border-line p-0.5">
      {switched.map(({ to, title }) => (
        <NavLink
          key={to}
          to={to}
          end={to === '/admin'}
          className="flex min-h-9.5 items-center rounded-sm px-3.5 text-sm font-semibold text-soft hover:text-ink aria-[current=page]:bg-ink aria-[current=page]:text-page"
        >
          {title}
        </NavLink>
      ))}
    </nav>
  )
}

/** Around what is still loading too, so that a menu that was opened meanwhile stays open. The setup has its own way on. */
export default function Frame() {
  const loaded = useRouteLoaderData<typeof adminLoader>('admin/admin')
  const nav = { counts: loaded?.counts }
  const setup = useRouteLoaderData<typeof setupLoader>('admin/setup/setup')
  const isInSetup = useLocation().pathname === '/admin/setup' && setup?.setup.step !== 'done'
  return (
    <>
      <AdminHeader {...nav} />
      <div className="mx-auto flex max-w-[90rem] print:block">
        {!isInSetup && <AdminNav {...nav} />}
        <div className="min-w-0 grow">
          <Outlet />
        </div>
      </div>
    </>
  )
}
