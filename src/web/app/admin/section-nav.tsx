// The screens of one place beside one another, as those of the settings and of the mail.
import { NavLink, useLocation } from 'react-router'
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react'
import { ArrowLeft } from '../../components/further-icons.tsx'
import { ArrowRight } from '../../components/icons.tsx'
import { StrongLink } from './links.tsx'

function useIsFromSetup(): boolean {
  return new URLSearchParams(useLocation().search).get('from') === 'setup'
}

export function BackToSetup({ className }: { className: string }) {
  if (!useIsFromSetup()) return null
  return (
    <StrongLink to="/admin/setup" className={`flex items-center gap-2 ${className}`}>
      <ArrowLeft aria-hidden className="size-4" />
      Back to the setup
    </StrongLink>
  )
}

type SectionNavProps = {
  label: string
  sections: readonly {
    to: string
    title: string
    /** It stands beside the screens of another place. */
    isElsewhere?: boolean
  }[]
  /** One below the other where there is room, rather than in a row. */
  isColumn?: boolean
}

export function SectionNav({ label, sections, isColumn = false }: SectionNavProps) {
  const isFromSetup = useIsFromSetup()
  return (
    <SlidingNav label={label} className={isColumn ? 'lg:sticky lg:top-6' : ''}>
      <ul className={`flex gap-1 ${isColumn ? 'lg:grid' : ''}`}>
        {sections.map(({ to, title, isElsewhere }) => (
          <li key={to}>
            <NavLink
              to={isFromSetup ? `${to}?from=setup` : to}
              end
              className="flex items-center gap-1.5 rounded-md px-3.5 py-2.5 font-semibold whitespace-nowrap text-soft -outline-offset-2 hover:bg-ink/5 hover:text-ink aria-[current=page]:bg-ink/7 aria-[current=page]:text-ink"
            >
              {title}
              {isElsewhere && <ArrowRight aria-hidden className="size-4" />}
            </NavLink>
          </li>
        ))}
      </ul>
    </SlidingNav>
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
