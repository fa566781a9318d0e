import type { ReactNode } from 'react'
import { Link } from 'react-router'

type ViewLinksProps = {
  label: string
  views: readonly { to: string; title: string; isCurrent: boolean; count?: ReactNode }[]
}

const shape =
  'flex min-h-11 items-center justify-center gap-2 rounded-sm px-4 font-semibold text-soft hover:text-ink aria-[current=page]:bg-raised aria-[current=page]:text-ink aria-[current=page]:shadow-[inset_0_-3px_0_var(--color-gold-text)] forced-colors:aria-[current=page]:underline'

export function ViewLinks({ label, views }: ViewLinksProps) {
  return (
    <nav
      aria-label={label}
      className="grid grow auto-cols-fr grid-flow-col gap-1 rounded-md border border-edge bg-ink/7 p-1 sm:grow-0"
    >
      {views.map(({ to, title, isCurrent, count }) => (
        <Link key={title} to={to} className={shape} aria-current={isCurrent ? 'page' : undefined}>
          {title}
          {count && (
            <span className="rounded-full bg-ink/10 px-2 py-0.5 text-sm leading-5 text-ink tabular-nums">
              {count}
            </span>
          )}
        </Link>
      ))}
    </nav>
  )
}
