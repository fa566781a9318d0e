// Tables of rows, and what narrows or pages them: search, filters, views.
import { ArrowDown, ArrowUp, Search, ArrowLeft } from '../components/further-icons.tsx'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Link, useSearchParams, useLocation, useNavigation, useNavigate } from 'react-router'
import { Select, type Option } from '../components/further-fields.tsx'
import { controlsTexts } from '#words/site.ts'
import { ArrowRight } from '../components/icons.tsx'
import { Button, buttonClass } from '../components/button.tsx'

export type Column<Row> = {
  title: string
  cell: (row: Row) => ReactNode
  align?: 'right' | undefined
  sort?: string
  firstDir?: 'asc' | 'desc'
  isOneLine?: boolean
  /** The classes put the cells of a row on two lines without their titles on phones. */
  onPhone?: string
}

/** The classes of what a row begins with, and of what ends its first line. */
export const titleOnPhone = 'max-sm:order-1 max-sm:min-w-0 max-sm:flex-1 max-sm:basis-28 max-sm:wrap-anywhere'
export const endOnPhone = 'max-sm:order-1 max-sm:text-right'
/** The classes of what stands on the second line, and at its end. */
export const belowOnPhone = 'max-sm:order-3'
export const endBelowOnPhone = 'max-sm:order-3 max-sm:ml-auto'

const twoLines =
  "max-sm:flex max-sm:flex-wrap max-sm:items-center max-sm:gap-x-2.5 max-sm:gap-y-0.5 max-sm:after:order-2 max-sm:after:basis-full max-sm:after:content-['']"

type TableProps<Row> = {
  label: string
  sortedBy?: string | undefined
  rows: readonly Row[]
  rowKey: (row: Row) => string
  columns: readonly Column<Row>[]
}

export function Table<Row>({ label, sortedBy, rows, rowKey, columns }: TableProps<Row>) {
  const isSortable = columns.some(({ sort }) => sort !== undefined)
  const shape = columns.some(({ onPhone }) => onPhone !== undefined) ? twoLines : ''
  return (
    <table aria-label={label} className="block w-full text-sm sm:table">
      <thead className="block sm:table-header-group">
        <tr
          className={`flex flex-wrap items-center gap-x-4 border-line px-5 sm:table-row sm:border-b ${isSortable ? "py-2 max-sm:border-b max-sm:before:text-soft max-sm:before:content-['Sort_by']" : ''}`}
        >
          {columns.map((column) => (
            <Title key={column.title} column={column} sortedBy={sortedBy} />
          ))}
        </tr>
      </thead>
      <tbody className="block divide-y divide-line sm:table-row-group">
        {rows.map((row) => (
          <tr
            key={rowKey(row)}
            className={`relative block px-5 py-3 hover:bg-ink/3 sm:table-row sm:h-11 ${shape}`}
          >
            {columns.map((column) => (
              <Cell key={column.title} column={column}>
                {column.cell(row)}
              </Cell>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Cell<Row>({ column, children }: { column: Column<Row>; children: ReactNode }) {
  const { title, align, isOneLine, onPhone } = column
  const isEmpty = children === '' || children === null || children === undefined
  const shape = onPhone ?? 'items-baseline justify-between gap-6 py-1 max-sm:text-right'
  return (
    <td
      className={`${shape} tabular-nums sm:table-cell sm:px-2 sm:py-2 sm:first:pl-5 sm:last:pr-5 md:px-4 md:first:pl-5 md:last:pr-5 ${isEmpty ? 'hidden' : onPhone === undefined ? 'flex' : 'block'} ${align === 'right' ? 'sm:text-right' : ''} ${isOneLine ? 'lg:whitespace-nowrap' : ''}`}
    >
      {onPhone === undefined && (
        <span aria-hidden className="text-soft sm:hidden">
          {title}
        </span>
      )}
      {children}
    </td>
  )
}

type TitleProps = { column: Omit<Column<never>, 'cell'>; sortedBy: string | undefined }

function Title({ column: { title, align, sort, firstDir = 'desc' }, sortedBy }: TitleProps) {
  const search = useAskedSearch()
  const way = search.get('dir') === 'asc' ? 'ascending' : 'descending'
  const isSorted = sort !== undefined && (search.get('sort') ?? sortedBy) === sort
  const direction = isSorted ? way : undefined
  const Arrow = direction === 'ascending' ? ArrowUp : ArrowDown
  return (
    <th
      scope="col"
      aria-sort={direction}
      className={`font-semibold whitespace-nowrap text-soft sm:px-2 sm:py-3 sm:first:pl-5 sm:last:pr-5 md:px-4 md:first:pl-5 md:last:pr-5 ${align === 'right' ? 'text-right' : 'text-left'} ${sort ? '' : 'max-sm:sr-only'}`}
    >
      {sort ? (
        <Link
          to={`?${orderedBy(search, sort, direction ? opposite[direction] : firstDir)}`}
          preventScrollReset
          className={`inline-flex min-h-8 items-center gap-1 rounded-sm underline-offset-4 hover:text-ink max-sm:underline sm:min-h-6 ${align === 'right' ? 'sm:flex-row-reverse' : ''}`}
        >
          {title}
          <Arrow
            aria-hidden
            className={`size-3.5 ${align === 'right' ? 'sm:max-lg:-ml-4.5' : 'sm:max-lg:-mr-4.5'} ${direction ? 'text-ink' : 'opacity-0 max-lg:hidden'}`}
          />
        </Link>
      ) : (
        title
      )}
    </th>
  )
}

const opposite = { ascending: 'desc', descending: 'asc' }

function orderedBy(search: URLSearchParams, sort: string, dir: string): URLSearchParams {
  const next = new URLSearchParams(search)
  next.set('sort', sort)
  next.set('dir', dir)
  next.delete('after')
  return next
}

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

type FilterProps = {
  label: string
  name: string
  /** The label of the choice without the parameter. */
  all: string
  options: readonly Option[]
  isLabelShown?: boolean
}

export function FilterSelect({ name, all, options, ...rest }: FilterProps) {
  const [search, narrow] = useNarrowing()
  return (
    <Choice
      options={[{ value: '', label: all }, ...options]}
      value={search.get(name) ?? ''}
      onPick={(value) => narrow(name, value)}
      {...rest}
    />
  )
}

type ChoiceProps = Pick<FilterProps, 'label' | 'options' | 'isLabelShown'> & {
  value: string
  onPick: (value: string) => void
}

export function Choice({ label, isLabelShown = false, onPick, ...rest }: ChoiceProps) {
  const id = useId()
  return (
    <div className="min-w-0 max-sm:grow">
      <label htmlFor={id} className={isLabelShown ? 'block text-sm text-soft' : 'sr-only'}>
        {label}
      </label>
      <Select
        id={id}
        className={`${frame} w-full`}
        onChange={(event) => onPick(event.target.value)}
        {...rest}
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
  // A timer calls the `narrow` of an earlier render.
  const latest = useRef(search)
  useEffect(() => {
    latest.current = search
  })
  function narrow(name: string, value: string) {
    const next = new URLSearchParams(latest.current)
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
  isAbove?: boolean
  onPick: (day: string) => void
}

/** Calls `onPick` with whole days only: while a year is typed, its first digits are years too. */
export function DayField({ label, day, required, isAbove, onPick }: DayFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (input.current && document.activeElement !== input.current) input.current.value = day
  }, [day])
  function notify({ value, validity }: HTMLInputElement) {
    if (validity.valid && value !== day) onPick(value)
  }
  return (
    <label className={`gap-2 text-sm text-soft ${isAbove ? 'block' : 'sm:flex sm:items-center'}`}>
      {label}
      <input
        ref={input}
        type="date"
        required={required}
        min="2000-01-01"
        max="2999-12-31"
        defaultValue={day}
        className="block min-h-11 w-full rounded-md border border-edge bg-surface px-3 text-base text-ink"
        onChange={({ target }) => notify(target)}
        onBlur={({ target }) => {
          notify(target)
          if (!target.validity.valid) target.value = day
        }}
      />
    </label>
  )
}

export function Pager({ next }: { next: string | null }) {
  const [search] = useSearchParams()
  const walked: unknown = useLocation().state?.pagesBehind
  const navigate = useNavigate()
  const isFirst = !search.has('after')
  const pagesBehind = typeof walked === 'number' ? walked : 0
  if (isFirst && !next) return null

  function goBack() {
    const first = new URLSearchParams(search)
    first.delete('after')
    void (pagesBehind > 0 ? navigate(-1) : navigate(`?${first}`))
  }
  const following = new URLSearchParams(search)
  if (next) following.set('after', next)
  return (
    <nav
      aria-label={controlsTexts.pages}
      className="flex items-center justify-between gap-3 border-t border-line p-3"
    >
      <Button look="quiet" disabled={isFirst} onClick={goBack}>
        <ArrowLeft aria-hidden className="size-4.5" />
        {isFirst || pagesBehind > 0 ? controlsTexts.previous : controlsTexts.firstPage}
      </Button>
      {next ? (
        <Link className={buttonClass('quiet')} to={`?${following}`} state={{ pagesBehind: pagesBehind + 1 }}>
          {controlsTexts.next}
          <ArrowRight aria-hidden className="size-4.5" />
        </Link>
      ) : (
        <span className="px-5 text-sm text-soft">{controlsTexts.end}</span>
      )}
    </nav>
  )
}

type ViewLinksProps = {
  label: string
  views: readonly { to: string; title: string; isCurrent: boolean; count?: ReactNode }[]
}

const viewShape =
  'flex min-h-11 items-center justify-center gap-2 rounded-sm px-2 font-semibold text-soft hover:text-ink sm:px-4 aria-[current=page]:bg-raised aria-[current=page]:text-ink aria-[current=page]:shadow-[inset_0_-3px_0_var(--color-gold-text)] forced-colors:aria-[current=page]:underline'

export function ViewLinks({ label, views }: ViewLinksProps) {
  return (
    <nav
      aria-label={label}
      className="grid grow grid-flow-col auto-cols-auto gap-1 rounded-md border border-edge bg-ink/7 p-1 sm:grow-0 sm:auto-cols-fr"
    >
      {views.map(({ to, title, isCurrent, count }) => (
        <Link key={title} to={to} className={viewShape} aria-current={isCurrent ? 'page' : undefined}>
          {title}
          {count && (
            <span className="rounded-full bg-ink/10 px-2 py-0.5 text-sm leading-5 text-ink tabular-nums">
              {count}
            </span>
          )}
        </Link>
      ))}
    </nav>
  )
}
