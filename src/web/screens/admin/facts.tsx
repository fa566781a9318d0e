import type { ReactNode } from 'react'

export type FactList = readonly (readonly [name: string, value: ReactNode])[]

/** Each name beside its value; a fact without a value is left out. */
export function Facts({ facts, className }: { facts: FactList; className: string }) {
  return (
    <dl className={`grid gap-y-1 text-sm [&_dt]:text-soft ${className}`}>
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name} className="contents">
              <dt>{name}</dt>
              <dd className="min-w-0 break-words">{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

type FactProps = { name: string; className?: string; children: ReactNode }

/** The name above its value, in a `<dl>`. */
export function Fact({ name, className, children }: FactProps) {
  return (
    <div className="min-w-0">
      <dt>{name}</dt>
      <dd className={className}>{children}</dd>
    </div>
  )
}
