// The parts that stand out of a text or a table: notes, callouts, badges and ids.
import type { Icon } from './icons.tsx'
import { type ReactNode, type ComponentProps, createElement } from 'react'

export function Note({ icon: Icon, title, children }: { icon: Icon; title: string; children?: ReactNode }) {
  return (
    <div className="grid justify-items-center px-6 py-14 text-center">
      <Icon aria-hidden className="size-9 text-soft" strokeWidth={1.25} />
      <h3 className="mt-3 text-lg font-semibold">{title}</h3>
      {children && <div className="mt-1 max-w-md text-pretty text-soft">{children}</div>}
    </div>
  )
}

const calloutLooks = {
  warning: 'border-gold/60 bg-gold/10',
  danger: 'border-danger/50 bg-danger/8',
}

type CalloutProps = ComponentProps<'div'> & { look?: keyof typeof calloutLooks }

/** A box around what the reader should not miss. `role="alert"` is for one that appears after the page. */
export function Callout({ look = 'warning', className = '', ...rest }: CalloutProps) {
  return (
    <div
      className={`rounded-md border px-4 py-3 text-sm text-pretty ${calloutLooks[look]} ${className}`}
      {...rest}
    />
  )
}

const badgeLooks = {
  plain: 'border-line text-soft',
  highlighted: 'border-success/40 bg-success/10 text-success',
  toned: 'border-gold/60 bg-gold/10 text-gold-text',
  danger: 'border-danger/50 bg-danger/8 text-danger',
}

export type BadgeLook = keyof typeof badgeLooks

export function Badge({ look = 'plain', children }: { look?: BadgeLook; children: ReactNode }) {
  return (
    <span
      className={`inline-block rounded-sm border px-2 py-0.5 text-sm leading-5 font-semibold first-letter:uppercase ${badgeLooks[look]}`}
    >
      {children}
    </span>
  )
}

/** May be broken at its hyphens. */
export function Id({ children }: { children: string }) {
  const [first, ...others] = children.split('-')
  const parts = others.flatMap((part) => ['-', createElement('wbr'), part])
  return createElement('span', { className: 'break-words' }, first, ...parts)
}
