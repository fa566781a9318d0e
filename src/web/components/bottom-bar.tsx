import { type ReactNode, useEffect, useState } from 'react'

/** At the window's lower edge. What has the focus is scrolled above it (app.css), and toasts keep clear of it. */
export function BottomBar({ label, className = '', children }: BottomBarProps) {
  return (
    <aside aria-label={label} className={`bottom-bar print:hidden ${className}`}>
      {children}
    </aside>
  )
}

type BottomBarProps = { label: string; className?: string; children: ReactNode }

/** Whether none of these elements is in the window; false until that is known. */
export function useIsOutOfView(selector: string): boolean {
  const [isOut, setIsOut] = useState(false)
  useEffect(() => {
    const seen = new Set<Element>()
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) seen.add(target)
        else seen.delete(target)
      }
      setIsOut(seen.size === 0)
    })
    for (const element of document.querySelectorAll(selector)) observer.observe(element)
    return () => observer.disconnect()
  }, [selector])
  return isOut
}
