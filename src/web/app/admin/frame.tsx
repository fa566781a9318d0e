// The frame of every screen of the admin area: the header and the navigation.
import { useSyncExternalStore } from 'react'
import { NavLink, useLocation, Outlet, useRouteLoaderData } from 'react-router'
import { useFocusOnArrival } from '../private-page.tsx'
import { SignOutButton } from '../../session/sign-out-button.tsx'
import { ButtonLink } from '../../components/button.tsx'
import { ExternalLink } from '../../components/further-icons.tsx'
import { AdminDrawer, AdminNav, FindButton, type AdminNavProps } from './admin-nav.tsx'
import { TextLink } from './links.tsx'
import type { clientLoader as adminLoader } from './admin.tsx'
import type { clientLoader as setupLoader } from './setup/setup.tsx'

/** Its words are those of the product's description. On a phone all but the title and the search stand in the menu. */
function AdminHeader(props: AdminNavProps) {
  const heading = useFocusOnArrival()
  const isPhone = useIsPhone()
  return (
    <header className="border-b border-line bg-surface print:hidden">
      <div className="mx-auto flex max-w-[90rem] flex-wrap items-center gap-2 px-5 py-2 sm:px-8">
        <AdminDrawer {...props} top={isPhone && <ViewSwitch />}>
          {isPhone && (
            <div className="grid grid-cols-2 items-center gap-2 border-t border-line px-4 py-3">
              <ViewShop />
              <Account />
            </div>
          )}
        </AdminDrawer>
        <div className="mr-auto flex items-baseline gap-x-4">
          <h1 ref={heading} tabIndex={-1} className="font-semibold sm:text-lg">
            Admin Dashboard
          </h1>
          {!isPhone && (
            <span className="max-sm:hidden">
              <ViewShop />
            </span>
          )}
        </div>
        <FindButton />
        {!isPhone && (
          <div className="flex flex-wrap items-center gap-1 max-sm:hidden">
            <ViewSwitch />
            <Account />
          </div>
        )}
      </div>
    </header>
  )
}

const phone = '(width < 40rem)'

/** Each control is in the document once: words that stood in it twice would be found twice. */
function useIsPhone(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const query = matchMedia(phone)
      query.addEventListener('change', onChange)
      return () => query.removeEventListener('change', onChange)
    },
    () => matchMedia(phone).matches,
    () => false,
  )
}

function ViewShop() {
  return (
    <TextLink
      to="/"
      className="inline-flex items-center gap-1.5 text-sm text-soft max-sm:justify-self-center"
    >
      View shop
      <ExternalLink aria-hidden className="size-3.5" />
    </TextLink>
  )
}

/** The controls are small, because an author finds everything in the navigation beside the screens. */
const small =
  'px-2! text-sm font-medium! max-sm:border-edge! sm:min-h-8! sm:px-2.5! sm:py-1! sm:text-soft! sm:hover:text-ink! pointer-coarse:min-h-11!'

function Account() {
  const isUploading = useLocation().pathname === '/admin/upload'
  return (
    <nav aria-label="Account" className="flex items-center gap-1 max-sm:contents">
      <ButtonLink to="/dashboard" look="quiet" className={small}>
        Back to Dashboard
      </ButtonLink>
      <ButtonLink look="quiet" to={isUploading ? '/admin' : '/admin/upload'} className={small}>
        {isUploading ? 'View Dashboard' : 'Upload Ebook'}
      </ButtonLink>
      <SignOutButton look="quiet" className={small} />
    </nav>
  )
}

const switched = [
  { to: '/admin', title: 'Dashboard' },
  { to: '/admin/users', title: 'Users' },
]

function ViewSwitch() {
  return (
    <nav
      aria-label="Dashboard or users"
      className="flex sm:gap-1 max-sm:rounded-md max-sm:border max-sm:border-line max-sm:p-0.5"
    >
      {switched.map(({ to, title }) => (
        <NavLink
          key={to}
          to={to}
          end={to === '/admin'}
          className="flex min-h-9.5 items-center rounded-sm px-3.5 text-sm font-medium text-soft hover:text-ink aria-[current=page]:bg-ink/8 aria-[current=page]:text-ink max-sm:font-semibold sm:min-h-8 sm:px-2.5 pointer-coarse:min-h-11"
        >
          {title}
        </NavLink>
      ))}
    </nav>
  )
}

/**
 * The frame stands around what is still loading, too, so that a menu that was opened meanwhile stays open. The setup
 * has its own navigation. A user who is signed out sees nothing of it before the sign-in.
 */
export default function Frame() {
  const loaded = useRouteLoaderData<typeof adminLoader>('admin/admin')
  const nav = { counts: loaded?.counts }
  const setup = useRouteLoaderData<typeof setupLoader>('admin/setup/setup')
  const isInSetup = useLocation().pathname === '/admin/setup' && setup?.setup.step !== 'done'
  return (
    <div className={loaded ? undefined : 'not-signed-in:invisible'}>
      <AdminHeader {...nav} />
      <div className="mx-auto flex max-w-[90rem] print:block">
        {!isInSetup && <AdminNav {...nav} />}
        <div className="min-w-0 grow">
          <Outlet />
        </div>
      </div>
    </div>
  )
}
