import { useState } from 'react'
import type { FieldProblems } from '#platform/contract/field-problems.ts'
import { Field, TextField } from '../../../components/field.tsx'
import type { BookDocument } from '#features/book/contract/book.ts'
import type { DraftField } from './draft-field.ts'
import type { Change } from './use-draft.ts'

export type PartProps = {
  document: BookDocument
  change: Change
  problems: FieldProblems
  field: DraftField
}

type LineProps = {
  label: string
  hint?: string
  problem: string | undefined
  type?: 'text' | 'email'
  value: string
  onChange: (value: string) => void
}

export function Line({ label, hint, problem, type = 'text', value, onChange }: LineProps) {
  return (
    <Field
      label={label}
      hint={hint}
      problem={problem}
      type={type}
      required={false}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

export function Lines({ label, hint, problem, value, onChange }: Omit<LineProps, 'type'>) {
  return (
    <TextField
      label={label}
      hint={hint}
      problem={problem}
      rows={3}
      required={false}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

type NumberLineProps = Omit<LineProps, 'type' | 'value' | 'onChange'> & {
  value: number
  min: number
  max: number
  step?: number
  onChange: (value: number) => void
}

/** An empty field gets the last value back when it loses the focus. */
export function NumberLine({ label, hint, problem, value, onChange, ...limits }: NumberLineProps) {
  const [typed, setTyped] = useState({ text: String(value), value })
  // The value was changed from outside: by a restore, or by another item at this place.
  if (typed.value !== value) setTyped({ text: String(value), value })
  return (
    <Field
      label={label}
      hint={hint}
      problem={problem}
      type="number"
      inputMode="decimal"
      required={false}
      value={typed.text}
      {...limits}
      onBlur={() => setTyped({ text: String(value), value })}
      onChange={({ currentTarget }) => {
        const { valueAsNumber, value: text } = currentTarget
        const next = Number.isNaN(valueAsNumber) ? value : valueAsNumber
        setTyped({ text, value: next })
        if (next !== value) onChange(next)
      }}
    />
  )
}

type TickProps = { label: string; isTicked: boolean; onChange: (isTicked: boolean) => void }

export function Tick({ label, isTicked, onChange }: TickProps) {
  return (
    <label className="flex min-h-9 cursor-pointer items-center gap-3">
      <input
        type="checkbox"
        className="size-5 accent-ink"
        checked={isTicked}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {label}
    </label>
  )
}
