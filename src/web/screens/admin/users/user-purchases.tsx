import type { Page } from '#platform/contract/paging.ts'
import type { Order } from '#features/orders/contract/orders.ts'
import { Card } from '../../../components/card.tsx'
import { Pager } from '../../../components/pager.tsx'
import { Table } from '../../../components/table.tsx'
import { amountColumn, dateColumn, orderColumn, productColumn, statusColumn } from '../purchases/columns.tsx'

const columns = [orderColumn, productColumn, amountColumn, dateColumn, statusColumn]

export function Bought({ page: { items, next } }: { page: Page<Order> }) {
  return (
    <Card title="Purchases">
      {items.length > 0 ? (
        <>
          <Table label="Purchases" rows={items} rowKey={({ id }) => id} columns={columns} />
          <Pager next={next} />
        </>
      ) : (
        <p className="px-5 py-4 text-soft">Nothing was bought yet.</p>
      )}
    </Card>
  )
}
