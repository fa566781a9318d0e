// The line above a list of the log that says how long its entries are kept.
import type { ReactNode } from 'react'

export function KeptFor({ children }: { children: ReactNode }) {
  return <p className="border-b border-line px-5 py-2.5 text-sm text-soft">{children}</p>
}
