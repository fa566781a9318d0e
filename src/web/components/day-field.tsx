// Calls `onPick` with whole days only: while a year is typed, its first digits are years too.
import { useEffect, useRef } from 'react'

type DayFieldProps = {
  label: string
  day: string
  required?: boolean
  onPick: (day: string) => void
}

export function DayField({ label, day, required, onPick }: DayFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (input.current && document.activeElement !== input.current) input.current.value = day
  }, [day])
  function notify({ value, validity }: HTMLInputElement) {
    if (validity.valid && value !== day) onPick(value)
  }
  return (
    <label className="gap-2 text-sm text-soft sm:flex sm:items-center">
      {label}
      <input
        ref={input}
        type="date"
        required={required}
        min="2000-01-01"
        max="2999-12-31"
        defaultValue={day}
        className="block min-h-11 w-full rounded-md border border-edge bg-surface px-3 text-ink"
        onChange={({ target }) => notify(target)}
        onBlur={({ target }) => {
          notify(target)
          if (!target.validity.valid) target.value = day
        }}
      />
    </label>
  )
}
