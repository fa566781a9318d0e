import { notFoundTexts } from '#words/not-found.ts'
import { legalTexts } from '#words/legal.ts'
import { fill } from '#words/fill.ts'
import { data, useRevalidator } from 'react-router'
import type { ShownLegalPage } from '#contract/book/shown-book.ts'
import { api } from '../../api.ts'
import { loadFailure } from '../../copy.ts'
import { shownLegalPages } from '../../entry.server.tsx'
import { PageNotFound } from '../../page-not-found.tsx'
import { pageMeta } from '../../page-meta.ts'
import { Prose } from '../../prose.tsx'
import { SiteFooter, SiteHeader } from '../../site-frame.tsx'
import { toast } from '../../toasts.tsx'
import { Button } from '../../components/button.tsx'
import { Container } from '../../components/container.tsx'
import type { Route } from './+types/legal.ts'

type Loaded = { page?: ShownLegalPage | undefined; hasFailed?: boolean }

export function loader({ request, context }: Route.LoaderArgs) {
  const page = find(context.get(shownLegalPages), request)
  return data<Loaded>({ page }, { status: page ? 200 : 404 })
}

export async function clientLoader({ request }: Route.ClientLoaderArgs): Promise<Loaded> {
  try {
    // The type of a list inside a list is too deep for the typed client.
    const pages: ShownLegalPage[] = JSON.parse(await (await api.book.legal.$get()).text())
    return { page: find(pages, request) }
  } catch (error) {
    toast(loadFailure(legalTexts.failed, error))
    return { hasFailed: true }
  }
}

function find(pages: readonly ShownLegalPage[], { url }: Request): ShownLegalPage | undefined {
  const path = new URL(url).pathname
  return pages.find(({ name }) => path === `/${name}`)
}

export function meta({ matches, loaderData, location }: Route.MetaArgs) {
  const { siteUrl, book } = matches[0].loaderData
  const page = loaderData?.page
  if (!page)
    return [{ title: fill(notFoundTexts.page, { book: book.title }) }, { name: 'robots', content: 'noindex' }]
  const { title } = page
  return pageMeta({ siteUrl, book, path: location.pathname, title, description: `${title}: ${book.title}` })
}

export default function Legal({ loaderData: { page, hasFailed } }: Route.ComponentProps) {
  if (hasFailed) return <Missing />
  if (!page) return <PageNotFound />
  return (
    <Frame>
      <h1 className="font-display text-4xl text-balance wrap-anywhere">{page.title}</h1>
      <div className="mt-8 space-y-4 wrap-anywhere">
        <Prose blocks={page.blocks} topHeading={2} />
      </div>
    </Frame>
  )
}

function Missing() {
  const { revalidate } = useRevalidator()
  return (
    <Frame>
      <div className="flex min-h-96 flex-col items-center justify-center gap-4 text-center">
        <h1 className="font-display text-3xl">{legalTexts.notLoaded}</h1>
        <Button look="outline" onClick={() => void revalidate()}>
          {legalTexts.tryAgain}
        </Button>
      </div>
    </Frame>
  )
}

function Frame({ children }: { children: React.ReactNode }) {
  return (
    <>
      <SiteHeader />
      <main id="main" tabIndex={-1} className="py-14 sm:py-20">
        <Container isText>{children}</Container>
      </main>
      <SiteFooter />
    </>
  )
}
