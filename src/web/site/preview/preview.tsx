// The preview; at its lower edge where in it one is and, but for the sample, the way to the book.
import { use } from 'react'
import { excerptPath } from '#contract/paths.ts'
import { excerptTexts } from '#words/excerpt.ts'
import { fill } from '#words/texts.ts'
import { previewTexts } from '#words/home.ts'
import { siteTexts } from '#words/site.ts'
import type { ShownChapter } from '#contract/book/shown-book.ts'
import type { Product } from '#contract/catalog/products.ts'
import { BottomBar, Container } from '../../components/section.tsx'
import { ButtonLink, Link } from '../../components/button.tsx'
import { ArrowRight } from '../../components/icons.tsx'
import { useFormatShortMoney } from '../../format/money.tsx'
import { onlyOffer, priceLabel } from '../../product/offers.ts'
import { pageMeta } from '../../page/page-meta.ts'
import { LowestPrice, useOffer } from '../discount/price-line.tsx'
import { pageClass, Prose } from '../../format/prose.tsx'
import { useBook, useExcerpt, useIsForSale } from '../../shop.ts'
import { SiteFooter, SiteHeader } from '../../page/site-frame.tsx'
import { chosenPath } from '#contract/chosen-product.ts'
import { PageScript } from '../../page/island.tsx'
import { chapterId } from './chapter-id.ts'
import { ProductsContext } from '../page-data.tsx'
import type { SiteContent, SitePage } from '../site-page.ts'

/** Shown and written by bars.ts. */
function ReadingBar({ title }: { title: string }) {
  const { is_sample } = useBook()
  const products = use(ProductsContext) ?? []
  const hasPrice = !is_sample && products.length > 0 && !onlyOffer(products)
  return (
    <>
      <template data-bar="#next-steps, footer">
        <BottomBar label={previewTexts.place} className="justify-center">
          <div
            data-share=""
            className="absolute inset-x-0 -top-px h-0.5 origin-left bg-gold rtl:origin-right"
          />
          <div className="flex w-full max-w-[44rem] items-center gap-4 sm:px-8">
            <p className="min-w-0 grow">
              <span data-chapter="" className="block truncate font-display text-lg leading-snug">
                {title}
              </span>
              <span className="block text-sm text-pretty text-soft tabular-nums sm:truncate">
                {/* The line of gold says it on a phone, where the price needs the room. */}
                <span
                  data-read={previewTexts.read}
                  className={hasPrice ? 'max-sm:hidden coded:inline' : ''}
                />
                {/* This page does not know what a kept code takes off. */}
                {hasPrice && (
                  <span className="coded:hidden">
                    <span className="max-sm:hidden">{' · '}</span>
                    <LowestPrice products={products} />
                  </span>
                )}
              </span>
            </p>
            {!is_sample && <WayToBook products={products} />}
          </div>
        </BottomBar>
      </template>
      <PageScript name="bars" />
    </>
  )
}

const useWayLabel = () => (useIsForSale() ? previewTexts.getTheBook : siteTexts.formatsAndPrices)

function WayToBook({ products }: { products: readonly Product[] }) {
  const product = onlyOffer(products)
  const label = useWayLabel()
  if (product) return <WayToProduct product={product} />
  return (
    <ButtonLink to="/#book-sales" className="shrink-0">
      {label}
    </ButtonLink>
  )
}

/** Its purchase begins where it stands. */
function WayToProduct({ product }: { product: Product }) {
  const { price } = useOffer(product)
  const formatShort = useFormatShortMoney()
  const label = useWayLabel()
  return (
    <ButtonLink to={chosenPath(product.id)} data-buys={product.id} className="shrink-0">
      <span className="coded:hidden">{priceLabel(product, price, formatShort)}</span>
      <span className="hidden coded:inline">{label}</span>
    </ButtonLink>
  )
}

export const preview: SitePage = {
  path: '/preview',
  tags: ({ data: { shop }, book, chapters }) => {
    const [first, second] = chapters.map(({ title }) => title)
    return pageMeta({
      ...shop,
      book,
      path: '/preview',
      title: first && second ? fill(previewTexts.titles, { first, second }) : (first ?? previewTexts.page),
      description: fill(previewTexts.description, { book: book.title }),
    })
  },
  Page: Preview,
}

function Preview({ chapters }: SiteContent) {
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
          {chapters.map((chapter, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- titles may be equal
            <Chapter key={index} id={chapterId(index)} chapter={chapter} isFirst={index === 0} />
          ))}
          <NextSteps />
        </Container>
      </main>
      {chapters.length > 0 && <ReadingBar title={chapters[0]?.title ?? ''} />}
      <SiteFooter />
    </>
  )
}

type ChapterProps = { id: string; chapter: ShownChapter; isFirst: boolean }

function Chapter({ id, chapter, isFirst }: ChapterProps) {
  const book = useBook()
  const { number, title, blocks } = chapter
  const Title = isFirst ? 'h1' : 'h2'
  return (
    <article id={id} className={isFirst ? '' : 'mt-24 border-t border-line'}>
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

function NextSteps() {
  const book = useBook()
  const excerpt = useExcerpt()
  const label = useWayLabel()
  return (
    <aside id="next-steps" aria-labelledby="onward" className="mt-20 border-t border-line pt-12 text-center">
      <h2 id="onward" className="font-display text-3xl">
        {book.preview_after || book.title}
      </h2>
      <p className="mt-7 flex flex-wrap justify-center gap-3">
        <ButtonLink to="/#book-sales" className="min-h-13 px-7 text-lg">
          {label}
        </ButtonLink>
        {excerpt && (
          <ButtonLink to={excerptPath} look="outline" className="min-h-13 px-7 text-lg">
            {excerptTexts.lead}
          </ButtonLink>
        )}
      </p>
    </aside>
  )
}
