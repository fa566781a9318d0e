import type { Icon } from './icons.tsx'
import type { ReactNode } from 'react'

export function Note({ icon: Icon, title, children }: { icon: Icon; title: string; children?: ReactNode }) {
  return (
    <div className="grid justify-items-center px-6 py-14 text-center">
      <Icon aria-hidden className="size-9 text-soft" strokeWidth={1.25} />
      <h3 className="mt-3 text-lg font-semibold">{title}</h3>
      {children && <div className="mt-1 max-w-md text-pretty text-soft">{children}</div>}
    </div>
  )
}
