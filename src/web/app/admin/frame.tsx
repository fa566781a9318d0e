// A card with one page of a list: its rows, what is shown where there are none, or that it could not be loaded.
import { NavLink, useLocation, Outlet, useRouteLoaderData } from 'react-router'
import { useFocusOnArrival } from '../private-page.tsx'
import { SignOutButton } from '../../sign-out-button.tsx'
import { ButtonLink, buttonClass } from '../../components/button.tsx'
import { ExternalLink } from '../../components/further-icons.tsx'
import { AdminDrawer, type AdminNavProps, AdminNav } from './admin-nav.tsx'
import { FindButton } from './find/find-button.tsx'
import { TextLink } from './links.tsx'
import type { clientLoader as adminLoader } from './admin.tsx'
import type { ReactNode, ComponentProps } from 'react'
import type { Page } from '#contract/fields.ts'
import { Card } from '../../components/card.tsx'
import { Failed } from '../../components/failed.tsx'
import { Pager } from '../../components/pager.tsx'
import { Table } from '../../components/table.tsx'

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

/** Around what is still loading too, so that a menu that was opened meanwhile stays open. */
export default function Frame() {
  const loaded = useRouteLoaderData<typeof adminLoader>('admin/admin')
  const nav = { counts: loaded?.counts }
  return (
    <>
      <AdminHeader {...nav} />
      <div className="mx-auto flex max-w-[90rem] print:block">
        <AdminNav {...nav} />
        <div className="min-w-0 grow">
          <Outlet />
        </div>
      </div>
    </>
  )
}

export type FactList = readonly (readonly [name: string, value: ReactNode])[]

/** Each name beside its value; a fact without a value is left out. */
export function Facts({ facts, className }: { facts: FactList; className: string }) {
  return (
    <dl className={`grid gap-y-1 text-sm [&_dt]:text-soft ${className}`}>
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name} className="contents">
              <dt>{name}</dt>
              <dd className="min-w-0 break-words">{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

type FactProps = { name: string; className?: string; children: ReactNode }

/** The name above its value, in a `<dl>`. */
export function Fact({ name, className, children }: FactProps) {
  return (
    <div className="min-w-0">
      <dt>{name}</dt>
      <dd className={className}>{children}</dd>
    </div>
  )
}

/** Names and ids that a person does not need, and someone who helps may ask for. */
export function ForSupport({ children }: { children: ReactNode }) {
  return (
    <details className="text-sm">
      <summary className="cursor-pointer rounded-sm text-soft hover:text-ink">For support</summary>
      {children}
    </details>
  )
}

type PageCardProps<Item> = {
  title?: string
  action?: ReactNode
  about?: ReactNode
  page: Page<Item> | undefined
  failed: string
  empty: ReactNode
}
type Shown<Item> = { children: (items: Item[]) => ReactNode }

function PageCard<Item>(props: PageCardProps<Item> & Shown<Item>) {
  const { title, action, about, page, failed, empty, children } = props
  return (
    <Card title={title} action={action}>
      {!page && <Failed title={failed} />}
      {about}
      {page?.items.length === 0 && empty}
      {page && page.items.length > 0 && (
        <>
          {children(page.items)}
          <Pager next={page.next} />
        </>
      )}
    </Card>
  )
}

/** The rows are list items. */
export function ListCard<Item>(props: PageCardProps<Item> & { children: (item: Item) => ReactNode }) {
  const { children, ...rest } = props
  return (
    <PageCard {...rest}>
      {(items) => <ol className="divide-y divide-line">{items.map((item) => children(item))}</ol>}
    </PageCard>
  )
}

type TableProps<Item> = Omit<ComponentProps<typeof Table<Item>>, 'rows'>

export function TableCard<Item>(props: PageCardProps<Item> & TableProps<Item>) {
  const { label, sortedBy, rowKey, columns, ...rest } = props
  return (
    <PageCard {...rest}>
      {(rows) => <Table label={label} sortedBy={sortedBy} rows={rows} rowKey={rowKey} columns={columns} />}
    </PageCard>
  )
}

export function OpenAtStripe({ url }: { url: string | null | undefined }) {
  if (!url) return null
  return (
    <a href={url} target="_blank" rel="noreferrer" className={buttonClass('quiet')}>
      Open at Stripe
      <ExternalLink aria-hidden className="size-4" />
    </a>
  )
}
