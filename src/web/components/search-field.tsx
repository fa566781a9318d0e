import { Search } from './further-icons.tsx'
import { useEffect, useId, useRef } from 'react'
import { useSearchParams, useLocation, useNavigation } from 'react-router'
import { Select, type Option } from './select-field.tsx'

const pauseMs = 250
const frame = 'min-h-11 rounded-md border border-edge bg-surface px-3.5'

export function SearchField({ label, placeholder }: { label: string; placeholder: string }) {
  const [search, narrow] = useNarrowing()
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const query = search.get('q') ?? ''
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    // Back and forward change the address; what is being typed is left alone.
    if (input.current && document.activeElement !== input.current) input.current.value = query
  }, [query])
  function ask() {
    clearTimeout(timer.current)
    narrow('q', input.current?.value.trim() ?? '')
  }
  function askSoon() {
    clearTimeout(timer.current)
    timer.current = setTimeout(ask, pauseMs)
  }
  return (
    <form
      role="search"
      className="relative min-w-0 grow sm:max-w-96"
      onSubmit={(event) => {
        event.preventDefault()
        ask()
      }}
    >
      <Search aria-hidden className="pointer-events-none absolute top-3 start-3.5 size-5 text-soft" />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        defaultValue={query}
        maxLength={200}
        className={`${frame} w-full ps-11`}
        onChange={askSoon}
      />
    </form>
  )
}

type FilterProps = { label: string; name: string; all: string; options: readonly Option[] }

export function FilterSelect({ label, name, all, options }: FilterProps) {
  const [search, narrow] = useNarrowing()
  const id = useId()
  return (
    <div className="min-w-0 max-sm:grow">
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Select
        id={id}
        options={[{ value: '', label: all }, ...options]}
        value={search.get(name) ?? ''}
        className={`${frame} w-full`}
        onChange={(event) => narrow(name, event.target.value)}
      />
    </div>
  )
}

export function FilterDay({ label, name }: { label: string; name: string }) {
  const [search, narrow] = useNarrowing()
  return <DayField label={label} day={search.get(name) ?? ''} onPick={(day) => narrow(name, day)} />
}

function useNarrowing() {
  const [, setSearch] = useSearchParams()
  const search = useAskedSearch()
  function narrow(name: string, value: string) {
    const next = new URLSearchParams(search)
    if (value) next.set(name, value)
    else next.delete(name)
    next.delete('after')
    setSearch(next, { replace: true, preventScrollReset: true })
  }
  return [search, narrow] as const
}

export function useAskedSearch(): URLSearchParams {
  const [search] = useSearchParams()
  const { pathname } = useLocation()
  const coming = useNavigation().location
  return coming?.pathname === pathname ? new URLSearchParams(coming.search) : search
}

type DayFieldProps = {
  label: string
  day: string
  required?: boolean
  onPick: (day: string) => void
}

/** Calls `onPick` with whole days only: while a year is typed, its first digits are years too. */
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
