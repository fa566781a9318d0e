import type { ReactNode } from 'react'

/** At the window's lower edge. What has the focus is scrolled above it (look.css), and toasts keep clear of it. */
export function BottomBar({ label, className = '', children }: BottomBarProps) {
  return (
    <aside aria-label={label} className={`bottom-bar print:hidden ${className}`}>
      {children}
    </aside>
  )
}

type BottomBarProps = { label: string; className?: string; children: ReactNode }
