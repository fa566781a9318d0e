// Renders a page of the site: React components without hydration, and its islands as roots of their own.
import type { ReactNode } from 'react'
import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { islands } from 'virtual:islands'
import type { FormAnswer } from '#pages/page-answer.ts'
import type { SiteRequest } from '#pages/render.ts'
import { BookContext } from '../shop.ts'
import { SiteDocument } from './document.tsx'
import { IslandRenderer } from '../page/island.tsx'
import { bookFacts, WithData, type IslandData } from './page-data.tsx'
import { sitePages } from './pages.ts'
import type { SitePage } from './site-page.ts'

export { withTexts } from '#words/wording.ts'

export const sitePaths = sitePages.map(({ path }) => path)

export function renderSite(request: SiteRequest): Response {
  const { path, siteUrl, book, products, facts, answer, shown: ofRequest = {} } = request
  const page = sitePages.find((each) => each.path === path)
  if (!page) throw new Error(`The site has no page ${path}`)
  const { shown, chapters, legal } = book
  const data: IslandData = {
    shop: { ...facts, siteUrl, book: bookFacts(shown) },
    products,
    answer: answerOf(page, answer),
  }
  const content = { data, book: shown, chapters, legal, shown: ofRequest }
  const withData = (children: ReactNode) => <WithData data={data}>{children}</WithData>
  const texts = new Set<string>()
  let count = 0
  const renderIsland = (name: string, island: ReactNode) => {
    const { files: first = '', later = {}, texts: own = [] } = islands[name] ?? {}
    // A guest is asked for an address as soon as it is alive.
    const question = facts.hasGuestCheckout ? later['buy-question'] : undefined
    const files = question ? `${first} ${question}` : first
    for (const each of own) texts.add(each)
    const prefix = `${name}-${(count += 1)}-`
    const html = renderToString(withData(island), { identifierPrefix: prefix })
    return { html, prefix, files }
  }
  const { Page } = page
  const html = renderToStaticMarkup(
    <IslandRenderer value={renderIsland}>
      <BookContext value={shown}>
        {withData(
          <SiteDocument data={data} tags={page.tags(content)} texts={texts}>
            <Page {...content} />
          </SiteDocument>,
        )}
      </BookContext>
    </IslandRenderer>,
  )
  return new Response(`<!DOCTYPE html>${html}`, {
    status: page.status?.(content) ?? 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'referrer-policy': page.holdsRight ? 'no-referrer' : 'same-origin',
    },
  })
}

function answerOf({ sent }: SitePage, answer: FormAnswer | undefined): FormAnswer | undefined {
  return answer ?? (sent === undefined ? undefined : { action: sent, values: {}, isSent: true })
}
