import type { ReactNode } from 'react'
import { Time } from '../../../time.tsx'
import { formatUtc } from '../../../format.ts'

export function Section({
  title,
  empty,
  children,
}: {
  title: string
  empty?: string | false
  children: ReactNode
}) {
  return (
    <section className="mt-7 print:mt-5">
      <h3 className="mb-2 break-after-avoid font-semibold">{title}</h3>
      {empty ? <p className="break-before-avoid text-sm text-soft">{empty}</p> : children}
    </section>
  )
}

export function Facts({ facts }: { facts: [name: string, value: ReactNode][] }) {
  return (
    <dl className="grid gap-x-6 gap-y-1 text-sm sm:grid-cols-[13rem_1fr] print:grid-cols-[13rem_1fr]">
      {facts
        .filter(([, value]) => Boolean(value))
        .map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-soft max-sm:mt-1">{name}</dt>
            <dd className="min-w-0 break-words tabular-nums">{value}</dd>
          </div>
        ))}
    </dl>
  )
}

export function Log({ rows }: { rows: { id: string; at: string; what: string; more: string }[] }) {
  return (
    <ol className="divide-y divide-line border-y border-line text-sm">
      {rows.map(({ id, at, what, more }) => (
        <li
          key={id}
          className="grid break-inside-avoid gap-x-6 py-2 sm:grid-cols-[13rem_1fr] print:grid-cols-[13rem_1fr]"
        >
          <Time at={at} format={formatUtc} className="text-soft tabular-nums" />
          <p className="min-w-0 break-words">
            {what}
            {more && <span className="block text-soft">{more}</span>}
          </p>
        </li>
      ))}
    </ol>
  )
}
