import { NavLink, Outlet, useLocation } from 'react-router'
import { ArrowLeft } from '../../../components/further-icons.tsx'
import { Card } from '../../card.tsx'
import { HelpLink, switchSlash, usesSlash } from '../admin-nav.tsx'
import { StrongLink } from '../links.tsx'
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react'

const sections = [
  { to: '/admin/settings', title: 'Shop' },
  { to: '/admin/settings/mail', title: 'Mail' },
  { to: '/admin/settings/emails', title: 'Emails to you' },
  { to: '/admin/settings/payments', title: 'Payments' },
  { to: '/admin/settings/shipping', title: 'Shipping' },
  { to: '/admin/settings/tax', title: 'Tax' },
  { to: '/admin/settings/admins', title: 'Admins' },
]

export default function Settings() {
  const { search, pathname } = useLocation()
  const isFromSetup = new URLSearchParams(search).get('from') === 'setup'
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 gap-y-5 lg:grid-cols-[11rem_minmax(0,46rem)]">
      {isFromSetup && (
        <StrongLink to="/admin/setup" className="flex items-center gap-2 lg:col-span-2">
          <ArrowLeft aria-hidden className="size-4" />
          Back to the setup
        </StrongLink>
      )}
      <SlidingNav label="Settings" className="lg:sticky lg:top-6">
        <ul className="flex gap-1 lg:grid">
          {sections.map(({ to, title }) => (
            <li key={to}>
              <NavLink
                to={isFromSetup ? `${to}?from=setup` : to}
                end
                className="block rounded-md px-3.5 py-2.5 font-semibold whitespace-nowrap text-soft -outline-offset-2 hover:bg-ink/5 hover:text-ink aria-[current=page]:bg-ink/7 aria-[current=page]:text-ink"
              >
                {title}
              </NavLink>
            </li>
          ))}
        </ul>
      </SlidingNav>
      <div>
        <Outlet />
        {pathname === '/admin/settings' && <BrowserCard />}
        <HelpLink />
      </div>
    </div>
  )
}

function BrowserCard() {
  return (
    <Card title="In this browser" className="mt-5" contentClass="p-5">
      <label className="flex w-fit cursor-pointer items-center gap-3">
        <input
          type="checkbox"
          className="tick"
          defaultChecked={usesSlash()}
          onChange={({ target }) => switchSlash(target.checked)}
        />
        <span>
          Press <kbd className="font-semibold">/</kbd> to search a list
        </span>
      </label>
    </Card>
  )
}

type SlidingNavProps = { label: string; className?: string; children: ReactNode }

function SlidingNav({ label, className = '', children }: SlidingNavProps) {
  const nav = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  const { more, look } = useMore(nav)
  useEffect(() => {
    const bar = nav.current
    const link = [...(bar?.querySelectorAll('a') ?? [])].findLast((each) =>
      pathname.startsWith(each.pathname),
    )
    if (bar && link) bar.scrollLeft = link.offsetLeft - (bar.clientWidth - link.offsetWidth) / 2
  }, [pathname])
  return (
    <nav
      ref={nav}
      aria-label={label}
      data-more={more}
      className={`relative scroll-px-14 overflow-x-auto [scrollbar-width:none] data-[more~=after]:mask-r-from-80% data-[more~=before]:mask-l-from-80% ${className}`}
      onScroll={look}
    >
      <div className="w-max min-w-full">{children}</div>
    </nav>
  )
}

function useMore(nav: React.RefObject<HTMLElement | null>) {
  const [more, setMore] = useState('')
  const look = useCallback(() => {
    if (!nav.current) return
    const { scrollLeft, clientWidth, scrollWidth } = nav.current
    // Widths are rounded: a pixel is no link.
    const sides = [scrollLeft > 1 && 'before', scrollLeft + clientWidth < scrollWidth - 1 && 'after']
    setMore(sides.filter(Boolean).join(' '))
  }, [nav])
  useEffect(() => {
    if (!nav.current) return undefined
    const observer = new ResizeObserver(look)
    for (const each of [nav.current, ...nav.current.children]) observer.observe(each)
    return () => observer.disconnect()
  }, [nav, look])
  return { more, look }
}
