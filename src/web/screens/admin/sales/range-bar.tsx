import { useSearchParams } from 'react-router'
import { formats } from '#contract/catalog/products.ts'
import type { SalesReport } from '#contract/operations/sales.ts'
import { Button } from '../../../components/button.tsx'
import { DayField, FilterSelect, useAskedSearch } from '../../../components/search-field.tsx'

const presets = [
  { range: '7', title: '7 days' },
  { range: '30', title: '30 days' },
  { range: '90', title: '90 days' },
  { range: 'year', title: 'This year' },
]

export function RangeBar({ chart }: { chart: Pick<SalesReport, 'from' | 'to'> | undefined }) {
  const [, setSearch] = useSearchParams()
  const search = useAskedSearch()
  const isCustom = search.has('from') || search.has('to')
  const from = search.get('from') ?? chart?.from ?? ''
  const to = search.get('to') ?? chart?.to ?? ''
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
        <DayField
          label="From"
          day={from}
          required
          onPick={(day) => ask({ from: day, to: day > to ? day : to })}
        />
        <DayField
          label="To"
          day={to}
          required
          onPick={(day) => ask({ from: day < from ? day : from, to: day })}
        />
      </div>
      <div className="grid grow grid-cols-2 gap-2 sm:flex sm:grow-0">
        <FilterSelect
          label="Steps"
          name="by"
          all="Automatic"
          options={[
            { value: 'day', label: 'By day' },
            { value: 'week', label: 'By week' },
            { value: 'month', label: 'By month' },
          ]}
        />
        <FilterSelect label="Format" name="format" all="All formats" options={formats} />
      </div>
    </div>
  )
}
