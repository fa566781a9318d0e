import type { ReactNode } from 'react'
import { ChevronDown } from '../../../components/further-icons.tsx'
import { TriangleAlert } from '../icons.tsx'
import type { FieldProblems } from '#contract/field-problems.ts'

type GroupProps = {
  title: string
  fields: readonly string[]
  problems: FieldProblems
  isOpenAtFirst?: boolean
  onOpen?: () => void
  children: ReactNode
}

export function Group({ title, fields, problems, isOpenAtFirst = false, onOpen, children }: GroupProps) {
  const hasProblem = Object.keys(problems).some((path) =>
    fields.some((field) => path === field || path.startsWith(`${field}.`)),
  )
  return (
    <details
      open={isOpenAtFirst || hasProblem || undefined}
      className="group rounded-md border border-line bg-surface"
      onToggle={({ currentTarget }) => currentTarget.open && onOpen?.()}
    >
      <summary
        data-problem={hasProblem || undefined}
        className="flex min-h-12 cursor-pointer list-none items-center justify-between gap-3 rounded-md px-5 py-3 text-lg font-semibold"
      >
        <span className="flex items-center gap-2">
          {title}
          {hasProblem && (
            <span className="flex items-center gap-1.5 text-sm text-danger">
              <TriangleAlert aria-hidden className="size-4" />
              needs attention
            </span>
          )}
        </span>
        <ChevronDown aria-hidden className="size-5 text-soft group-open:rotate-180" />
      </summary>
      <div className="grid gap-5 border-t border-line px-5 py-5">{children}</div>
    </details>
  )
}
