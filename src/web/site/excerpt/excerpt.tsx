// The page of the excerpt: it asks for an address, and the link of the email leads here.
import { excerptPath } from '#contract/paths.ts'
import { excerptTexts } from '#words/excerpt.ts'
import { fill } from '#words/texts.ts'
import { Island } from '../../page/island.tsx'
import { LinkNeedsScripts } from '../../page/page-shell.tsx'
import { pageMeta, unlisted } from '../../page/page-meta.ts'
import { SiteFrame } from '../../page/site-frame.tsx'
import { Cover } from '../../product/cover.tsx'
import type { SitePage } from '../site-page.ts'
import { Excerpt } from './excerpt-form.tsx'

export const excerpt: SitePage = {
  path: excerptPath,
  // The author shares its address.
  tags: ({ data: { shop }, book }) =>
    shop.excerpt === null
      ? unlisted(excerptTexts.page, book)
      : pageMeta({
          ...shop,
          book,
          path: excerptPath,
          title: excerptTexts.page,
          description: fill(excerptTexts.description, { book: book.title }),
        }),
  Page: () => (
    <SiteFrame>
      <div
        aria-hidden
        className="mx-auto mt-8 -mb-4 w-28 overflow-hidden rounded-sm shadow-lg outline outline-cover-edge sm:mt-14 sm:-mb-10 sm:w-36"
      >
        <Cover sizes="9rem" className="block h-auto w-full" />
      </div>
      <LinkNeedsScripts />
      <Island name="excerpt" part="page" Part={Excerpt} wakes="data-linked" />
    </SiteFrame>
  ),
}
