import type { ReactNode } from 'react'
import { TriangleAlert } from '../icons.tsx'

/** Below the title of a card. */
export function CardWarning({ children }: { children: ReactNode }) {
  return (
    <p role="note" className="flex gap-3 border-b border-line bg-gold/10 px-5 py-3 text-sm text-pretty">
      <TriangleAlert aria-hidden className="mt-px size-5 shrink-0 text-gold-text" />
      <span>{children}</span>
    </p>
  )
}
