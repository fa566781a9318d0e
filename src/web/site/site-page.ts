// The type of a page of the site, and of the data that it is rendered from.
import type { ComponentType } from 'react'
import type { MetaDescriptor } from 'react-router'
import type { ShownBook, ShownChapter, ShownLegalPage } from '#contract/book/shown-book.ts'
import type { IslandData } from './page-data.tsx'
import type { Shown } from '#pages/page-answer.ts'

export type SiteContent = {
  data: IslandData
  book: ShownBook
  chapters: ShownChapter[]
  legal: ShownLegalPage[]
  /** It is about this request; a cached page has none of it. */
  shown: Shown
}

/** A page that everybody may read: rendered on the server, and not hydrated. */
export type SitePage = {
  /** A path with `:name` where any segment fits. */
  path: string
  tags: (content: SiteContent) => MetaDescriptor[]
  /** It says that this form, posted without scripts, has arrived. */
  sent?: string
  status?: (content: SiteContent) => number
  /** Its address lets whoever has it do something: no other page learns it. Others say where a form comes from. */
  holdsRight?: boolean
  Page: ComponentType<SiteContent>
}
