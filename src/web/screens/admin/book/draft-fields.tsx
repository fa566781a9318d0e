import { useState, type ComponentProps } from 'react'
import type { FieldProblems } from '#contract/field-problems.ts'
import { Field, TextField } from '../../../components/field.tsx'
import type { BookDocument } from '#contract/book/book.ts'
import type { DraftField } from './draft-field.ts'
import type { Change } from './use-draft.ts'

export type PartProps = {
  document: BookDocument
  change: Change
  problems: FieldProblems
  field: DraftField
}

type Changed<Props, Value> = Omit<Props, 'value' | 'onChange'> & {
  value: Value
  onChange: (value: Value) => void
}

export function Line({ onChange, ...rest }: Changed<ComponentProps<typeof Field>, string>) {
  return (
    <Field
      type="text"
      required={false}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      {...rest}
    />
  )
}

export function Lines({ onChange, ...rest }: Changed<ComponentProps<typeof TextField>, string>) {
  return (
    <TextField
      rows={3}
      required={false}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      {...rest}
    />
  )
}

/** An empty field gets the last value back when it loses the focus. */
export function NumberLine({ value, onChange, ...rest }: Changed<ComponentProps<typeof Field>, number>) {
  const [typed, setTyped] = useState({ text: String(value), value })
  // The value was changed from outside: by a restore, or by another item at this place.
  if (typed.value !== value) setTyped({ text: String(value), value })
  return (
    <Field
      type="number"
      inputMode="decimal"
      required={false}
      value={typed.text}
      onBlur={() => setTyped({ text: String(value), value })}
      onChange={({ currentTarget }) => {
        const { valueAsNumber, value: text } = currentTarget
        const next = Number.isNaN(valueAsNumber) ? value : valueAsNumber
        setTyped({ text, value: next })
        if (next !== value) onChange(next)
      }}
      {...rest}
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
