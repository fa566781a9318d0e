// Where in the preview one is; and, but for the sample, the way to the book.
import { useEffect, useState, Suspense } from 'react'
import { cardsTexts } from '#words/cards.ts'
import { fill } from '#words/fill.ts'
import { previewTexts } from '#words/preview.ts'
import { Await, Link, useRevalidator } from 'react-router'
import type { Product } from '#contract/catalog/products.ts'
import { BottomBar, useIsOutOfView } from '../../components/bottom-bar.tsx'
import { ButtonLink, Button } from '../../components/button.tsx'
import { useFormatShortMoney } from '../../money.tsx'
import { onlyOffer, shortPrice } from '../../offers.ts'
import { LowestPrice, useOffer } from '../../price-line.tsx'
import { useBook } from '../../shop.ts'
import { wantedPath } from '../../wanted-product.ts'
import { ArrowRight } from '../../components/icons.tsx'
import type { ShownChapter } from '#contract/book/shown-book.ts'
import { api, responseOf } from '../../api.ts'
import { loadFailure } from '../../copy.ts'
import { shownChapters, shownProducts } from '../../entry.server.tsx'
import { pageMeta } from '../../page-meta.ts'
import { pageClass, Prose } from '../../prose.tsx'
import { SiteFooter, SiteHeader } from '../../site-frame.tsx'
import { toast } from '../../toasts.tsx'
import { Container } from '../../components/container.tsx'
import type { Route } from './+types/preview.ts'

/** `chapter` is the place in the list, `share` what has passed of all chapters, from 0 to 1. */
type Place = { chapter: number; share: number }

function useReadingPlace(): Place {
  const [place, setPlace] = useState<Place>({ chapter: 0, share: 0 })
  useEffect(() => {
    const measure = () =>
      setPlace((before) => {
        const now = readPlace()
        return now.chapter === before.chapter && now.share === before.share ? before : now
      })
    measure()
    addEventListener('scroll', measure, { passive: true })
    addEventListener('resize', measure)
    return () => {
      removeEventListener('scroll', measure)
      removeEventListener('resize', measure)
    }
  }, [])
  return place
}

function readPlace(): Place {
  const boxes = [...document.querySelectorAll('main article')].map((article) =>
    article.getBoundingClientRect(),
  )
  const end = (boxes.at(-1)?.bottom ?? 0) + scrollY - innerHeight
  const share = end > 0 ? Math.min(scrollY / end, 1) : 1
  const chapter = boxes.findLastIndex(({ top }) => top < innerHeight / 2)
  // Whole percents: not every pixel draws the bar anew.
  return { chapter: Math.max(chapter, 0), share: Math.round(share * 100) / 100 }
}

type Products = Product[] | undefined

type ReadingBarProps = { titles: readonly string[]; products: Products | Promise<Products> }

function ReadingBar({ titles, products }: ReadingBarProps) {
  const { is_sample } = useBook()
  const isReading = useIsOutOfView('#next-steps, footer')
  const { chapter, share } = useReadingPlace()
  if (!isReading) return null
  return (
    <BottomBar label={previewTexts.place} className="justify-center">
      <div
        className="absolute inset-x-0 -top-px h-0.5 origin-left bg-gold rtl:origin-right"
        style={{ scale: `${share} 1` }}
      />
      <div className="flex w-full max-w-[44rem] items-center gap-4 sm:px-8">
        <p className="min-w-0 grow">
          <span className="block truncate font-display text-lg leading-snug">{titles[chapter]}</span>
          <span className="block truncate text-sm text-soft tabular-nums">
            {fill(previewTexts.read, { percent: Math.round(share * 100) })}
            {!is_sample && (
              <Suspense>
                <Await resolve={products}>{(list) => <PriceOfSeveral products={list ?? []} />}</Await>
              </Suspense>
            )}
          </span>
        </p>
        {!is_sample && (
          <Suspense>
            <Await resolve={products}>{(list) => <WayToBook products={list ?? []} />}</Await>
          </Suspense>
        )}
      </div>
    </BottomBar>
  )
}

function PriceOfSeveral({ products }: { products: readonly Product[] }) {
  if (products.length === 0 || onlyOffer(products)) return null
  return (
    <>
      {' · '}
      <LowestPrice products={products} />
    </>
  )
}

function WayToBook({ products }: { products: readonly Product[] }) {
  const product = onlyOffer(products)
  if (product) return <WayToProduct product={product} />
  return (
    <ButtonLink to="/#book-sales" className="shrink-0">
      {previewTexts.getTheBook}
    </ButtonLink>
  )
}

/** Its purchase begins where it stands. */
function WayToProduct({ product }: { product: Product }) {
  const { price } = useOffer(product)
  const formatShort = useFormatShortMoney()
  return (
    <ButtonLink to={wantedPath(product.id)} state={{ buys: true }} className="shrink-0">
      {price === 0 ? cardsTexts.getFree : fill(cardsTexts.buyFor, { price: shortPrice(price, formatShort) })}
    </ButtonLink>
  )
}

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
