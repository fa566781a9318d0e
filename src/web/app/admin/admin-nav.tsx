// Ways through the admin area: its navigation, the button of its search, and the help of a screen.
import { manualPath, manualPages, type ManualPageName } from '#contract/overview/manual.ts'
import { useRef, type ReactNode, useEffect, useState } from 'react'
import { NavLink, useLocation } from 'react-router'
import type { Counts } from '#contract/overview/today.ts'
import type { BoundedCount } from '#contract/fields.ts'
import { formatCount } from '../../format/format.tsx'
import { X } from '../../components/icons.tsx'
import { Search } from '../../components/further-icons.tsx'
import { Button } from '../../components/button.tsx'
import { FindDialog } from './find-dialog.tsx'
import { Menu } from './icons.tsx'
import { TextLink } from './links.tsx'
import { type View, adminViews, groups, maxCounted, messages, shipping, today } from './admin-views.ts'

export type AdminNavProps = { counts: Counts | undefined }

export function titleOf(pathname: string): string {
  const views = [
    ...adminViews.filter(({ to }) => to !== '/admin'),
    { to: '/admin/upload', title: 'Upload Ebook' },
    { to: '/admin/setup', title: 'Set up your shop' },
  ]
  const view = views.findLast(({ to }) => pathname.startsWith(to))
  return view ? `${view.title} · Admin Dashboard` : 'Admin Dashboard'
}

const exact = new Set(['/admin', '/admin/discounts'])

function Views(props: AdminNavProps) {
  return (
    <nav aria-label="Views" className="grid gap-3">
      {groups.map(({ title = '', views }) => (
        <div key={title} className="grid">
          {title && <p className="px-3 pb-0.5 text-[0.6875rem] font-semibold text-soft">{title}</p>}
          {views.map((view) => (
            <ViewLink key={view.to} {...view} waiting={waitingAt(view, props.counts)} />
          ))}
        </div>
      ))}
    </nav>
  )
}

type Waiting = BoundedCount & { isUrgent?: boolean }

function waitingAt(view: View, counts: Counts | undefined): Waiting | undefined {
  if (!counts) return undefined
  const { count } = counts
  if (view === today) return { count, isMore: count >= maxCounted, isUrgent: true }
  if (view === shipping) return counts.to_ship
  if (view !== messages) return undefined
  return { count: counts.unanswered, isMore: counts.unanswered >= maxCounted }
}

type ViewLinkProps = View & { waiting: Waiting | undefined }

function ViewLink({ to, title, waiting, icon: ViewIcon }: ViewLinkProps) {
  return (
    <NavLink
      to={to}
      end={exact.has(to)}
      className="flex min-h-7.5 items-center gap-2.5 rounded-md px-3 text-sm font-medium text-ink/80 hover:bg-ink/5 hover:text-ink aria-[current=page]:bg-ink/8 aria-[current=page]:font-semibold aria-[current=page]:text-ink max-lg:min-h-11 pointer-coarse:min-h-11"
    >
      <ViewIcon aria-hidden className="size-4 shrink-0 text-soft" />
      <span className="grow">{title}</span>
      {waiting && waiting.count > 0 && <Waits {...waiting} />}
    </NavLink>
  )
}

function Waits({ count, isMore, isUrgent = false }: Waiting) {
  return (
    <span
      className={`rounded-full px-1.5 text-xs leading-5 font-semibold tabular-nums ${isUrgent ? 'bg-danger text-page' : 'bg-ink/10 text-ink'}`}
    >
      {formatCount(count)}
      {isMore && <span>{'+'}</span>}
      {isUrgent && <span className="sr-only">{` ${count === 1 ? 'needs' : 'need'} attention`}</span>}
    </span>
  )
}

/** The navigation stands beside every view where there is room. */
export function AdminNav(props: AdminNavProps) {
  return (
    <aside className="sticky top-0 max-h-dvh w-56 shrink-0 self-start overflow-y-auto py-5 pr-2 pl-5 max-lg:hidden print:hidden">
      <Views {...props} />
    </aside>
  )
}

type AdminDrawerProps = AdminNavProps & { top: ReactNode; children: ReactNode }

/** The same where there is less room, behind a button; on a phone with the controls of the header above and below it. */
export function AdminDrawer({ top, children, ...props }: AdminDrawerProps) {
  const drawer = useRef<HTMLDialogElement>(null)
  const close = () => drawer.current?.close()
  const { key } = useLocation()
  const openedAt = useRef('')
  useEffect(() => {
    if (openedAt.current !== key) drawer.current?.close()
  }, [key])
  const isUrgent = (props.counts?.count ?? 0) > 0
  return (
    <>
      <Button
        look="outline"
        aria-haspopup="dialog"
        aria-label={isUrgent ? 'Menu: something needs attention' : 'Menu'}
        className="relative px-3! lg:hidden"
        onClick={() => {
          openedAt.current = key
          drawer.current?.showModal()
        }}
      >
        <Menu aria-hidden className="size-5" />
        {isUrgent && <span className="absolute -top-1 -right-1 size-3 rounded-full bg-danger" />}
      </Button>
      <dialog
        ref={drawer}
        aria-label="Menu"
        className="m-0 h-dvh max-h-none w-80 max-w-[85vw] flex-col border-r border-line bg-surface text-ink shadow-2xl backdrop:bg-black/60 open:flex lg:hidden"
        closedby="any"
      >
        <div className="flex items-center justify-between gap-3 px-4 py-3">
          {top}
          <Button look="quiet" aria-label="Close the menu" className="ml-auto px-3!" onClick={close}>
            <X aria-hidden className="size-5" />
          </Button>
        </div>
        <div className="min-h-0 grow overflow-y-auto px-2 pb-3">
          <Views {...props} />
        </div>
        {children}
      </dialog>
    </>
  )
}

/** The button's keys are Ctrl-K and ⌘-K. */
export function FindButton() {
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const { key, ctrlKey, metaKey, altKey } = event
      if (key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey) {
        event.preventDefault()
        if (!document.querySelector('dialog[open]')) setIsOpen(true)
      }
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <>
      <Button
        look="outline"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        aria-label="Find anything, Ctrl K"
        className="px-3! sm:min-h-9! sm:py-1! pointer-coarse:min-h-11!"
        onClick={() => setIsOpen(true)}
      >
        <Search aria-hidden className="size-5" />
        <kbd className="text-sm font-normal text-soft max-xl:hidden">Ctrl K</kbd>
      </Button>
      {isOpen && <FindDialog onClose={() => setIsOpen(false)} />}
    </>
  )
}

/** The key is the beginning of a screen's path; the longest that fits counts. */
const pagesOfScreens: Record<string, ManualPageName> = {
  '/admin': 'today',
  '/admin/users': 'readers',
  '/admin/setup': 'first-sale',
  '/admin/upload': 'products',
  '/admin/book': 'page',
  '/admin/products': 'products',
  '/admin/products/editions': 'editions',
  '/admin/discounts': 'discounts',
  '/admin/purchases': 'orders',
  '/admin/shipping': 'shipping',
  '/admin/payments': 'payments',
  '/admin/messages': 'messages',
  '/admin/mails': 'email',
  '/admin/backups': 'backups',
  '/admin/audit': 'security',
  '/admin/security': 'security',
  '/admin/sales': 'sales',
  '/admin/settings': 'settings',
  '/admin/mails/settings': 'email',
  '/admin/mails/to-you': 'today',
  '/admin/settings/payments': 'payments',
  '/admin/settings/shipping': 'shipping',
  '/admin/settings/tax': 'payments',
  '/admin/settings/letters': 'readers',
  '/admin/settings/webhook': 'webhook',
  '/admin/settings/admins': 'readers',
}

/** Undefined for the help itself. */
export function helpOf(pathname: string): (typeof manualPages)[number] | undefined {
  const isWithin = (screen: string) => pathname === screen || pathname.startsWith(`${screen}/`)
  if (isWithin('/admin/help')) return undefined
  const screen = Object.keys(pagesOfScreens)
    .filter(isWithin)
    .toSorted((a, b) => b.length - a.length)[0]
  const name = screen && pagesOfScreens[screen]
  return manualPages.find((page) => page.name === name)
}

/** Links to the page of the manual about this screen. */
export function HelpLink() {
  const page = helpOf(useLocation().pathname)
  if (!page) return null
  return (
    <p className="mt-8 text-sm text-soft print:hidden">
      Help: <TextLink to={manualPath(page.name)}>{page.title}</TextLink>
    </p>
  )
}
