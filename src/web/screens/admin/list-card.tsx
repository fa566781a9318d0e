// A card with one page of a list: its rows, what is shown where there are none, or that it could not be loaded.
import type { ReactNode } from 'react'
import type { Page } from '#platform/contract/paging.ts'
import { Card } from '../../components/card.tsx'
import { Failed } from '../../components/failed.tsx'
import { Pager } from '../../components/pager.tsx'

type ListCardProps<Item> = {
  title?: string
  action?: ReactNode
  about?: ReactNode
  page: Page<Item> | undefined
  failed: string
  empty: ReactNode
  children: (items: Item[]) => ReactNode
}

export function ListCard<Item>({ title, action, about, page, failed, empty, children }: ListCardProps<Item>) {
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
