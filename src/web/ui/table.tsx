// Rows under column titles. On a phone each row is a card that names its values; titles may sort the list.
import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'

export type Column<Row> = {
  title: string
  cell: (row: Row) => ReactNode
  align?: 'right'
  /** What `?sort=` is called for it; without one the title only names the column. */
  sort?: string
}

type TableProps<Row> = {
  label: string
  rows: readonly Row[]
  rowKey: (row: Row) => string
  columns: readonly Column<Row>[]
}

export function Table<Row>({ label, rows, rowKey, columns }: TableProps<Row>) {
  return (
    <table aria-label={label} className="block w-full text-sm sm:table">
      <thead className="block sm:table-header-group">
        <tr className="flex flex-wrap gap-x-4 px-4 sm:table-row sm:border-b sm:border-line">
          {columns.map(({ title, align, sort }) => (
            <Title key={title} title={title} align={align} sort={sort} />
          ))}
        </tr>
      </thead>
      <tbody className="block divide-y divide-line sm:table-row-group">
        {rows.map((row) => (
          <tr key={rowKey(row)} className="block px-4 py-3 hover:bg-ink/3 sm:table-row">
            {columns.map(({ title, cell, align }) => (
              <td
                key={title}

                className={`flex items-baseline justify-between gap-6 py-1 tabular-nums max-sm:text-right sm:table-cell sm:px-4 sm:py-3 ${align === 'right' ? 'sm:text-right' : ''}`}
              >
                <span aria-hidden className="text-soft sm:hidden">
                  {title}
                </span>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type TitleProps = Pick<Column<never>, 'title'> & { align: 'right' | undefined; sort: string | undefined }

function Title({ title, align, sort }: TitleProps) {
  const [search] = useSearchParams()
  const way = search.get('dir') === 'asc' ? 'ascending' : 'descending'
  const direction = sort !== undefined && search.get('sort') === sort ? way : undefined
  const Arrow = direction === 'ascending' ? ArrowUp : ArrowDown
  return (
    <th
      scope="col"
      aria-sort={direction}
      className={`py-2 font-semibold whitespace-nowrap text-soft sm:px-4 sm:py-3 ${align === 'right' ? 'text-right' : 'text-left'} ${sort ? '' : 'max-sm:sr-only'}`}
    >
      {sort ? (
        <Link
          to={`?${sortedBy(search, sort, direction)}`}
          preventScrollReset
          className="inline-flex min-h-6 items-center gap-1 rounded-sm hover:text-ink"
        >
          {title}
          <Arrow aria-hidden className={`size-3.5 ${direction ? 'text-ink' : 'opacity-0'}`} />
        </Link>
      ) : (
        title
      )}
    </th>
  )
}

/** The other way round at the second press; a new order begins at its first page. */
function sortedBy(search: URLSearchParams, sort: string, direction: string | undefined): URLSearchParams {
  const next = new URLSearchParams(search)
  next.set('sort', sort)
  next.set('dir', direction === 'descending' ? 'asc' : 'desc')
  next.delete('after')
  return next
}
