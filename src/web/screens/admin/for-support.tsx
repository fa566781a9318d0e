import type { ReactNode } from 'react'

/** Names and ids that a person does not need, and someone who helps may ask for. */
export function ForSupport({ children }: { children: ReactNode }) {
  return (
    <details className="text-sm">
      <summary className="cursor-pointer rounded-sm text-soft hover:text-ink">For support</summary>
      {children}
    </details>
  )
}
