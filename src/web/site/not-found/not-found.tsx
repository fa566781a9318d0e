// The page of an address that leads nowhere.
import type { ReactNode } from 'react'
import { fill } from '#words/texts.ts'
import { notFoundTexts } from '#words/site.ts'
import { SiteFooter, SiteHeader } from '../../page/site-frame.tsx'
import { NothingHere } from './nothing-here.tsx'
import type { SiteContent, SitePage } from '../site-page.ts'
import { unlisted } from '../../page/page-meta.ts'

export const notFoundTags = ({ book }: Pick<SiteContent, 'book'>) =>
  unlisted(fill(notFoundTexts.page, { book: book.title }))

export const notFound: SitePage = {
  path: '/404',
  status: () => 404,
  tags: notFoundTags,
  Page: () => <NotFound />,
}

export function NotFound({ children }: { children?: ReactNode }) {
  return (
    <div className="closing-light flex min-h-dvh flex-col">
      <SiteHeader />
      <main id="main" tabIndex={-1} className="grid grow place-items-center py-20 text-center">
        {children ?? <NothingHere />}
      </main>
      <SiteFooter />
    </div>
  )
}
