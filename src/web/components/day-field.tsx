// A day, told of only when it is whole: while a year is being typed, its first digits are years too.
import { useEffect, useRef } from 'react'

type DayFieldProps = {
  label: string
  day: string
  /** Otherwise it may be emptied, and its value is then ''. */
  required?: boolean
  onPick: (day: string) => void
}

export function DayField({ label, day, required, onPick }: DayFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (input.current && document.activeElement !== input.current) input.current.value = day
  }, [day])
  function tell({ value, validity }: HTMLInputElement) {
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
        onChange={({ target }) => tell(target)}
        onBlur={({ target }) => {
          // Emptied part by part, it tells of it only now; half a day is none.
          tell(target)
          if (!target.validity.valid) target.value = day
        }}
      />
    </label>
  )
}
