// The legal pages.
import { legalPageNames } from '#contract/book/legal.ts'
import { Container } from '../../components/section.tsx'
import { pageMeta } from '../../page/page-meta.ts'
import { Prose } from '../../format/prose.tsx'
import { SiteFooter, SiteHeader } from '../../page/site-frame.tsx'
import { NotFound, notFoundTags } from '../not-found/not-found.tsx'
import type { SiteContent, SitePage } from '../site-page.ts'

/** Those that the book has; the others are not found. */
export const legalPages: SitePage[] = legalPageNames.map((name) => {
  const path = `/${name}`
  const find = ({ legal }: SiteContent) => legal.find((page) => page.name === name)
  return {
    path,
    status: (content) => (find(content) ? 200 : 404),
    tags(content) {
      const title = find(content)?.title
      const { book, data } = content
      if (title === undefined) return notFoundTags(content)
      return pageMeta({
        ...data.shop,
        book,
        path,
        title,
        description: `${title}: ${book.title}`,
      })
    },
    Page(content) {
      const page = find(content)
      if (!page) return <NotFound />
      return (
        <>
          <SiteHeader />
          <main id="main" tabIndex={-1} className="py-14 sm:py-20">
            <Container isText>
              <h1 className="font-display text-4xl text-balance wrap-anywhere">{page.title}</h1>
              <div className="mt-8 space-y-4 wrap-anywhere">
                <Prose blocks={page.blocks} topHeading={2} />
              </div>
            </Container>
          </main>
          <SiteFooter />
        </>
      )
    },
  }
})
