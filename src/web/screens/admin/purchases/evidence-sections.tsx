import type { ReactNode } from 'react'
import { Time } from '../../../time.tsx'
import { formatUtc } from '../../../format.ts'
import { Facts, type FactList } from '../facts.tsx'

const columns = 'gap-x-6 sm:grid-cols-[13rem_1fr] print:grid-cols-[13rem_1fr]'

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-7 print:mt-5">
      <h3 className="mb-2 break-after-avoid font-semibold">{title}</h3>
      {children}
    </section>
  )
}

export function FactSection({ title, facts }: { title: string; facts: FactList }) {
  return (
    <Section title={title}>
      <Facts facts={facts} className={`${columns} max-sm:[&_dt]:mt-1 [&_dd]:tabular-nums`} />
    </Section>
  )
}

type LogSectionProps = {
  title: string
  empty: string
  rows: { id: string; at: string; what: string; more: string }[]
}

export function LogSection({ title, empty, rows }: LogSectionProps) {
  return (
    <Section title={title}>
      {rows.length === 0 && <p className="break-before-avoid text-sm text-soft">{empty}</p>}
      {rows.length > 0 && (
        <ol className="divide-y divide-line border-y border-line text-sm">
          {rows.map(({ id, at, what, more }) => (
            <li key={id} className={`grid break-inside-avoid py-2 ${columns}`}>
              <Time at={at} format={formatUtc} className="text-soft tabular-nums" />
              <p className="min-w-0 break-words">
                {what}
                {more && <span className="block text-soft">{more}</span>}
              </p>
            </li>
          ))}
        </ol>
      )}
    </Section>
  )
}
