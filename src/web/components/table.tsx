import { ArrowDown, ArrowUp } from './further-icons.tsx'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useAskedSearch } from './search-field.tsx'

export type Column<Row> = {
  title: string
  cell: (row: Row) => ReactNode
  align?: 'right' | undefined
  sort?: string
  firstDir?: 'asc' | 'desc'
  isOneLine?: boolean
}

type TableProps<Row> = {
  label: string
  sortedBy?: string | undefined
  rows: readonly Row[]
  rowKey: (row: Row) => string
  columns: readonly Column<Row>[]
}

export function Table<Row>({ label, sortedBy, rows, rowKey, columns }: TableProps<Row>) {
  const isSortable = columns.some(({ sort }) => sort !== undefined)
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
          <tr key={rowKey(row)} className="block px-5 py-3 hover:bg-ink/3 sm:table-row">
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
  const { title, align, isOneLine } = column
  const isEmpty = children === '' || children === null || children === undefined
  return (
    <td
      className={`items-baseline justify-between gap-6 py-1 tabular-nums max-sm:text-right sm:table-cell sm:px-2 sm:py-3 sm:first:pl-5 sm:last:pr-5 md:px-4 md:first:pl-5 md:last:pr-5 ${isEmpty ? 'hidden' : 'flex'} ${align === 'right' ? 'sm:text-right' : ''} ${isOneLine ? 'lg:whitespace-nowrap' : ''}`}
    >
      <span aria-hidden className="text-soft sm:hidden">
        {title}
      </span>
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
          className="inline-flex min-h-8 items-center gap-1 rounded-sm underline-offset-4 hover:text-ink max-sm:underline sm:min-h-6"
        >
          {title}
          <Arrow
            aria-hidden
            className={`size-3.5 sm:max-lg:-mr-4.5 ${direction ? 'text-ink' : 'opacity-0 max-lg:hidden'}`}
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
