import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react'
import { useLocation } from 'react-router'

type SlidingNavProps = { label: string; className?: string; children: ReactNode }

export function SlidingNav({ label, className = '', children }: SlidingNavProps) {
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
