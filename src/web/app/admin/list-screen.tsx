// A list screen from its description: what it loads, what narrows it, how a row looks, and what stands where there are none.
// And a card with one page of a list: its rows, what is shown where there are none, or that it could not be loaded.
import { useRef, type ReactNode, type ComponentProps } from 'react'
import { useSearchParams } from 'react-router'
import type { NewExport } from '#contract/reports/exports.ts'
import type { Page } from '#contract/fields.ts'
import { searchQuery } from '../../api.ts'
import type { Icon } from '../../components/icons.tsx'
import { Note } from '../../components/note.tsx'
import { ButtonLink } from '../../components/button.tsx'
import { FilterDay, FilterSelect, SearchField, type Column, Pager, Table } from '../table.tsx'
import type { Option } from '../../components/further-fields.tsx'
import { load, ExportButton } from './calls.tsx'
import { Card, Failed } from '../card.tsx'

/** The parameter `name` holds a choice among options, or a day. */
type Filter = { label: string; name: string } & (
  | { all: string; options: readonly Option[]; isDay?: never }
  | { isDay: true }
)

type ListDescription<Query, Item, More> = {
  title: string
  /** It replaces the title once the page is there. */
  heading?: (page: Page<Item> & More) => string
  /** It stands beside the title. */
  counted?: (page: Page<Item> & More) => string | undefined
  load: (query: Query) => Promise<Page<Item> & More>
  /** The toast, and what stands in place of the list. */
  failed: string
  notLoaded: string
  search?: { label: string; placeholder: string }
  filters?: readonly Filter[]
  /** The export has the rows that the address narrows the list to. */
  exported?: (query: Query) => NewExport
  empty: { icon: Icon; title: string; text: ReactNode }
  /** It stands above the rows. */
  about?: (page: Page<Item> & More) => ReactNode
  /** It stands where a search or a filter leaves nothing. */
  emptySearch?: { title?: string; text?: ReactNode }
} & (
  | { columns: Column<Item>[]; rowKey: (item: Item) => string; sortedBy?: string }
  | { row: (item: Item) => ReactNode; columns?: never }
)

/** The loader of the route, and the screen of a list that has nothing beside what the description says. */
export function defineList<Query, Item, More>(list: ListDescription<Query, Item, More>) {
  return {
    ...list,
    clientLoader: ({ request: { url } }: { request: Request }) =>
      load(list.failed, () => list.load(searchQuery<Query>(new URL(url).searchParams))),
    Screen: ({ loaderData }: { loaderData: (Page<Item> & More) | undefined }) => (
      <ListScreen list={list} page={loaderData} />
    ),
  }
}

type ListScreenProps<Query, Item, More> = {
  list: ListDescription<Query, Item, More>
  page: (Page<Item> & More) | undefined
  /** They stand beside the search. */
  tools?: ReactNode
  /** They stand between the search and the list. */
  children?: ReactNode
}

/** The filters stand in the head of the list where there is no search. */
export function ListScreen<Query, Item, More>(props: ListScreenProps<Query, Item, More>) {
  const { list, page, tools, children } = props
  const { search: field, filters = [], exported } = list
  const [search] = useSearchParams()
  const screen = useRef<HTMLDivElement>(null)
  const narrowing = withoutOrder(search)
  const isNarrowed = narrowing.size > 0
  // The link goes as it is pressed.
  function leaveClear() {
    const first = screen.current?.querySelector<HTMLInputElement | HTMLSelectElement>('input, select')
    if (!first) return
    first.value = ''
    first.focus()
  }
  const empty = { ...list.empty, ...(isNarrowed && list.emptySearch) }
  const card = {
    title: (page && list.heading?.(page)) ?? list.title,
    about: page && list.about?.(page),
    page,
    failed: list.notLoaded,
    empty: (
      <Note icon={empty.icon} title={empty.title}>
        {empty.text}
      </Note>
    ),
    action: (
      <div className="flex flex-wrap items-center gap-3">
        {page && list.counted && <p className="text-sm text-soft tabular-nums">{list.counted(page)}</p>}
        {!field && filters.length > 0 && <Filters filters={filters} />}
        {isNarrowed && filters.length > 0 && (
          <ButtonLink look="quiet" to="?" onClick={leaveClear}>
            Clear filters
          </ButtonLink>
        )}
        {exported && (
          <ExportButton request={exported(searchQuery<Query>(narrowing))}>
            {isNarrowed ? 'These' : 'All'} {list.title.toLowerCase()}
          </ExportButton>
        )}
      </div>
    ),
  }
  return (
    <div ref={screen} className="grid gap-5">
      {field && (
        <div className="flex flex-wrap items-center gap-3">
          <SearchField {...field} />
          {filters.length > 0 && <Filters filters={filters} />}
          {tools}
        </div>
      )}
      {children}
      {list.columns ? (
        <TableCard
          {...card}
          label={list.title}
          columns={list.columns}
          rowKey={list.rowKey}
          sortedBy={list.sortedBy}
        />
      ) : (
        <ListCard {...card}>{list.row}</ListCard>
      )}
    </div>
  )
}

/** Keeps the parameters that narrow the list: the order of its rows and its pages do not. */
function withoutOrder(search: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...search].filter(([name]) => !['sort', 'dir', 'after'].includes(name)))
}

function Filters({ filters }: { filters: readonly Filter[] }) {
  return (
    <div className="grid grow grid-cols-2 gap-2 *:only:col-span-2 sm:flex sm:grow-0 sm:flex-wrap sm:gap-3">
      {filters.map((filter) =>
        filter.isDay ? (
          <FilterDay key={filter.name} label={filter.label} name={filter.name} />
        ) : (
          <FilterSelect key={filter.name} {...filter} />
        ),
      )}
    </div>
  )
}

type PageCardProps<Item> = {
  title?: string
  action?: ReactNode
  about?: ReactNode
  page: Page<Item> | undefined
  failed: string
  empty: ReactNode
}
type Shown<Item> = { children: (items: Item[]) => ReactNode }

function PageCard<Item>(props: PageCardProps<Item> & Shown<Item>) {
  const { title, action, about, page, failed, empty, children } = props
  return (
    <Card title={title} action={action}>
      {!page && <Failed title={failed} />}
      {about}
      {page?.items.length === 0 && empty}
      {page && page.items.length > 0 && (
        <>
          {children(page.items)}
          <Pager next={page.next} />
        </>
      )}
    </Card>
  )
}

/** The rows are list items. */
export function ListCard<Item>(props: PageCardProps<Item> & { children: (item: Item) => ReactNode }) {
  const { children, ...rest } = props
  return (
    <PageCard {...rest}>
      {(items) => <ol className="divide-y divide-line">{items.map((item) => children(item))}</ol>}
    </PageCard>
  )
}

type TableProps<Item> = Omit<ComponentProps<typeof Table<Item>>, 'rows'>

export function TableCard<Item>(props: PageCardProps<Item> & TableProps<Item>) {
  const { label, sortedBy, rowKey, columns, ...rest } = props
  return (
    <PageCard {...rest}>
      {(rows) => <Table label={label} sortedBy={sortedBy} rows={rows} rowKey={rowKey} columns={columns} />}
    </PageCard>
  )
}
