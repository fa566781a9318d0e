import type { ReactNode } from 'react'

const looks = {
  plain: 'border-line text-soft',
  highlighted: 'border-success/40 bg-success/10 text-success',
  toned: 'border-gold/60 bg-gold/10 text-gold-text',
  danger: 'border-danger/50 bg-danger/8 text-danger',
}

export type BadgeLook = keyof typeof looks

export function Badge({ look = 'plain', children }: { look?: BadgeLook; children: ReactNode }) {
  return (
    <span
      className={`inline-block rounded-sm border px-2 py-0.5 text-sm leading-5 font-semibold first-letter:uppercase ${looks[look]}`}
    >
      {children}
    </span>
  )
}
