import { Search } from './further-icons.tsx'
import { useEffect, useId, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { DayField } from './day-field.tsx'
import { Select } from './select.tsx'
import { useAskedSearch } from './use-asked-search.ts'

const pauseMs = 250
const frame = 'min-h-11 rounded-md border border-edge bg-surface px-3.5'

export function SearchField({ label, placeholder }: { label: string; placeholder: string }) {
  const [search, narrow] = useNarrowing()
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const asked = search.get('q') ?? ''
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    // Back and forward change the address; what is being typed is left alone.
    if (input.current && document.activeElement !== input.current) input.current.value = asked
  }, [asked])
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
      <Search aria-hidden className="pointer-events-none absolute top-3 left-3.5 size-5 text-soft" />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        defaultValue={asked}
        maxLength={200}
        className={`${frame} w-full pl-11`}
        onChange={askSoon}
      />
    </form>
  )
}

type FilterProps = { label: string; name: string; options: readonly { value: string; label: string }[] }

export function FilterSelect({ label, name, options }: FilterProps) {
  const [search, narrow] = useNarrowing()
  const id = useId()
  return (
    <div className="min-w-0 max-sm:grow">
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Select
        id={id}
        options={options}
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
