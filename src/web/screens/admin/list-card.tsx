// A card with one page of a list: its rows, what is shown where there are none, or that it could not be loaded.
import type { ComponentProps, ReactNode } from 'react'
import type { Page } from '#contract/paging.ts'
import { Card } from '../../components/card.tsx'
import { Failed } from '../../components/failed.tsx'
import { Pager } from '../../components/pager.tsx'
import { Table } from '../../components/table.tsx'

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
