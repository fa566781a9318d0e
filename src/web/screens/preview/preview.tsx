import { previewTexts } from '#words/preview.ts'
import { fill } from '#words/fill.ts'
import { ArrowRight } from '../../components/icons.tsx'
import { Link, useRevalidator } from 'react-router'
import type { ShownChapter } from '#contract/book/shown-book.ts'
import type { Product } from '#contract/catalog/products.ts'
import { api, responseOf } from '../../api.ts'
import { useBook } from '../../shop.ts'
import { loadFailure } from '../../copy.ts'
import { shownChapters, shownProducts } from '../../entry.server.tsx'
import { pageMeta } from '../../page-meta.ts'
import { pageClass, Prose } from '../../prose.tsx'
import { SiteFooter } from '../../site-footer.tsx'
import { SiteHeader } from '../../site-header.tsx'
import { toast } from '../../toasts.tsx'
import { Button, ButtonLink } from '../../components/button.tsx'
import { Container } from '../../components/container.tsx'
import type { Route } from './+types/preview.ts'
import { ReadingBar } from './reading-bar.tsx'

export function loader({ context }: Route.LoaderArgs) {
  return { chapters: context.get(shownChapters), products: context.get(shownProducts) }
}

export async function clientLoader() {
  const products = fetchProducts()
  return { chapters: await fetchChapters(), products }
}

async function fetchChapters(): Promise<ShownChapter[]> {
  try {
    // The type of a list inside a list is too deep for the typed client.
    return JSON.parse(await (await api.book.chapters.$get()).text())
  } catch (error) {
    toast(loadFailure(previewTexts.failed, error))
    return []
  }
}

/** Without them the bar has no price. */
async function fetchProducts(): Promise<Product[] | undefined> {
  return responseOf(api.products.$get()).catch(() => undefined)
}

export function meta({ matches, loaderData }: Route.MetaArgs) {
  const { siteUrl, book } = matches[0].loaderData
  const [first, second] = loaderData?.chapters.map(({ title }) => title) ?? []
  return pageMeta({
    siteUrl,
    book,
    path: '/preview',
    title: first && second ? fill(previewTexts.titles, { first, second }) : (first ?? previewTexts.page),
    description: fill(previewTexts.description, { book: book.title }),
  })
}

export default function Preview({ loaderData: { chapters, products } }: Route.ComponentProps) {
  return (
    <>
      <SiteHeader />
      <main id="main" tabIndex={-1} className="pt-6 pb-24 sm:pt-10">
        <Container isText>
          <Link
            to="/"
            className="inline-flex items-center gap-2 py-2 font-semibold text-gold-text underline-offset-4 hover:underline"
          >
            <ArrowRight aria-hidden className="size-4 rotate-180 rtl:rotate-0" />
            {previewTexts.back}
          </Link>
          {chapters.length === 0 && <Missing />}
          {chapters.map((chapter, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- titles may be equal
            <Chapter key={index} chapter={chapter} isFirst={index === 0} />
          ))}
          <NextSteps />
        </Container>
      </main>
      {chapters.length > 0 && <ReadingBar titles={chapters.map(({ title }) => title)} products={products} />}
      <SiteFooter />
    </>
  )
}

function Chapter({ chapter, isFirst }: { chapter: ShownChapter; isFirst: boolean }) {
  const book = useBook()
  const { number, title, blocks } = chapter
  const Title = isFirst ? 'h1' : 'h2'
  return (
    <article className={isFirst ? '' : 'mt-24 border-t border-line'}>
      <header className="py-14 text-center sm:py-20">
        {number !== null && <p className="mb-3 font-display text-numeral text-gold">{number}</p>}
        <Title className="font-display text-4xl text-balance">{title}</Title>
        {isFirst && (
          <p className="mt-4 text-soft">
            {fill(previewTexts.beginning, { book: book.title, author: book.author.name })}
          </p>
        )}
      </header>
      <div className={pageClass(blocks)}>
        <Prose blocks={blocks} topHeading={isFirst ? 2 : 3} />
      </div>
    </article>
  )
}

function Missing() {
  const { revalidate } = useRevalidator()
  return (
    <div className="flex min-h-96 flex-col items-center justify-center gap-4 text-center">
      <h1 className="font-display text-3xl">{previewTexts.notLoaded}</h1>
      <Button look="outline" onClick={() => void revalidate()}>
        {previewTexts.tryAgain}
      </Button>
    </div>
  )
}

function NextSteps() {
  const book = useBook()
  return (
    <aside id="next-steps" aria-labelledby="onward" className="mt-20 border-t border-line pt-12 text-center">
      <h2 id="onward" className="font-display text-3xl">
        {book.preview_after || book.title}
      </h2>
      <ButtonLink to="/#book-sales" className="mt-7 min-h-13 px-7 text-lg">
        {previewTexts.getTheBook}
      </ButtonLink>
    </aside>
  )
}
