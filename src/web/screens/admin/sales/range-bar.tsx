// Which days, in which steps, of which format: chosen here, kept in the address.
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { formats } from '#contract/products.ts'
import type { SalesChart } from '#contract/sales.ts'
import { Button } from '../../../ui/button.tsx'
import { FilterSelect } from '../../../ui/search-field.tsx'

const presets = [
  { range: '7', title: '7 days' },
  { range: '30', title: '30 days' },
  { range: '90', title: '90 days' },
  { range: 'year', title: 'This year' },
]

/** Without a chart, the days are those that the address asks for. */
export function RangeBar({ chart }: { chart: Pick<SalesChart, 'from' | 'to'> | undefined }) {
  const [search, setSearch] = useSearchParams()
  const isCustom = search.has('from') || search.has('to')
  const from = chart?.from ?? search.get('from') ?? ''
  const to = chart?.to ?? search.get('to') ?? ''
  function ask(days: Record<string, string>) {
    const { from: _from, to: _to, range: _range, ...rest } = Object.fromEntries(search)
    setSearch({ ...rest, ...days }, { replace: true, preventScrollReset: true })
  }
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <div role="group" aria-label="Range" className="grid grow grid-cols-4 gap-2 sm:flex sm:grow-0">
        {presets.map(({ range, title }) => {
          const isChosen = !isCustom && (search.get('range') ?? '30') === range
          return (
            <Button
              key={range}
              look={isChosen ? 'primary' : 'outline'}
              aria-pressed={isChosen}
              className="max-sm:px-1 max-sm:text-sm"
              onClick={() => ask({ range })}
            >
              {title}
            </Button>
          )
        })}
      </div>
      <div className="grid grow grid-cols-2 gap-2 sm:flex sm:grow-0 sm:gap-4">
        <DayField label="From" day={from} onPick={(day) => ask({ from: day, to: day > to ? day : to })} />
        <DayField label="To" day={to} onPick={(day) => ask({ from: day < from ? day : from, to: day })} />
      </div>
      <div className="grid grow grid-cols-2 gap-2 sm:flex sm:grow-0">
        <FilterSelect
          label="Steps"
          name="by"
          options={[
            { value: '', label: 'Automatic steps' },
            { value: 'day', label: 'By day' },
            { value: 'week', label: 'By week' },
            { value: 'month', label: 'By month' },
          ]}
        />
        <FilterSelect
          label="Format"
          name="format"
          options={[
            { value: '', label: 'All formats' },
            ...formats.map((value) => ({ value, label: value })),
          ]}
        />
      </div>
    </div>
  )
}

type DayFieldProps = { label: string; day: string; onPick: (day: string) => void }

/** Tells of whole days only: while a year is being typed, its first digits are years too. */
function DayField({ label, day, onPick }: DayFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (input.current && document.activeElement !== input.current) input.current.value = day
  }, [day])
  return (
    <label className="gap-2 text-sm text-soft sm:flex sm:items-center">
      {label}
      <input
        ref={input}
        type="date"
        required
        min="2000-01-01"
        max="2999-12-31"
        defaultValue={day}
        className="block min-h-11 w-full rounded-md border border-ink/45 bg-surface px-3 text-ink"
        onChange={({ target }) => target.validity.valid && onPick(target.value)}
      />
    </label>
  )
}
