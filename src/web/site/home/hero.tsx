// The top of the home page: the book with its title, what it says, and the way to buy it.
// oxlint-disable react/no-array-index-key -- what is published never changes its order
import { excerptPath } from '#contract/paths.ts'
import { excerptTexts } from '#words/excerpt.ts'
import { fill } from '#words/texts.ts'
import { siteTexts } from '#words/site.ts'
import type { ShownBook } from '#contract/book/shown-book.ts'
import { printTitle } from '../../components/print-title.ts'
import { Link } from '../../components/button.tsx'
import { Mail } from '../../components/icons.tsx'
import { Container } from '../../components/section.tsx'
import { Cover, coverText } from '../../product/cover.tsx'
import { useBook, useExcerpt } from '../../shop.ts'
import { Island } from '../../page/island.tsx'
import { HeroActions } from './hero-actions.tsx'
import { Rating } from './rating.tsx'

/** The preview; where that is hidden, the first section. */
function findLearnMore({ sections }: ShownBook): string {
  const shown = sections.filter(({ is_shown }) => is_shown).map(({ name }) => name)
  const target = shown.find((name) => name === 'preview') ?? shown[0]
  return target === undefined || target === 'purchase' ? 'book-sales' : target
}

export function Hero() {
  const book = useBook()
  const lead = book.is_sample ? book.description : book.lead
  return (
    <section aria-labelledby="title" className="overflow-x-clip pb-12">
      {/* The parts of the first column join the one column of narrow screens, the book before the proof. */}
      <Container className="flex flex-col pt-6 max-lg:text-center sm:pt-10 lg:grid lg:grid-cols-[1.08fr_1fr] lg:items-center lg:gap-8">
        <div className="max-lg:contents">
          <h1 id="title" aria-label={book.title} className="font-display">
            <Title {...book.title_parts} />
          </h1>
          {!book.is_sample && <Byline {...book} />}
          <p className="mx-auto mt-7 max-w-[34rem] text-lg whitespace-pre-line text-pretty text-soft lg:mx-0">
            {lead}
          </p>
          <div id="hero-actions" className="relative z-1 mt-9">
            <Island name="offers" part="hero" Part={HeroActions} props={{ learnMore: findLearnMore(book) }} />
            <WayToExcerpt />
          </div>
          {!book.is_sample && <Proof {...book} />}
        </div>
        <BookInLight />
      </Container>
    </section>
  )
}

function Byline({ subtitle, author }: ShownBook) {
  return (
    <>
      {subtitle && (
        <p className="mx-auto mt-5 max-w-[34rem] font-display text-2xl text-balance lg:mx-0">{subtitle}</p>
      )}
      {author.name && (
        <p className="mt-5 text-lg font-semibold text-gold-text">
          {fill(siteTexts.byAuthor, { author: author.name })}
        </p>
      )}
    </>
  )
}

function WayToExcerpt() {
  if (!useExcerpt()) return null
  return (
    <p className="mt-1">
      <Link
        to={excerptPath}
        className="inline-flex items-center gap-2 py-2 font-semibold text-gold-text underline underline-offset-4"
      >
        <Mail aria-hidden className="size-4" />
        {excerptTexts.lead}
      </Link>
    </p>
  )
}

const maxProof = 160

/** The first quotation that is short enough. */
export const proofOf = (quotes: ShownBook['quotes']) => quotes.find(({ text }) => text.length <= maxProof)

/** A quotation, else the rating. */
function Proof({ quotes, rating }: ShownBook) {
  const quote = proofOf(quotes)
  if (quote)
    return (
      <figure className="mx-auto mt-9 max-w-[30rem] max-lg:order-last lg:mx-0 lg:border-s lg:border-gold lg:ps-5">
        <blockquote className="font-display text-xl text-balance">{quote.text}</blockquote>
        <figcaption className="mt-1.5 text-sm text-soft">{quote.by}</figcaption>
      </figure>
    )
  return (
    rating && (
      <div className="mt-8 flex max-lg:order-last max-lg:justify-center">
        <Rating {...rating} />
      </div>
    )
  )
}

function Title({ before, product, after }: ShownBook['title_parts']) {
  if (!product)
    return (
      <span className={`block font-medium text-balance wrap-anywhere ${sizeOf(before)}`}>
        {printTitle(before)}
      </span>
    )
  return (
    <>
      {before}
      <span className="block text-hero font-medium tracking-[-0.02em]">{printTitle(product)}</span>
      <span className="mt-3 block text-3xl font-medium tracking-[-0.01em] sm:text-4xl lg:whitespace-nowrap">
        {after}
      </span>
    </>
  )
}

/** The narrowest window has room for twelve letters of the larger size. */
function sizeOf(title: string): string {
  const isShort = title.length <= 36 && title.split(/\s/).every((word) => word.length <= 12)
  return isShort ? 'text-5xl tracking-[-0.015em]' : 'text-4xl'
}

function BookInLight() {
  const book = useBook()
  return (
    <div className="niche max-lg:mt-10">
      <Arches className="niche-arches" />
      <div className="niche-floor" />
      <div className="book-shadow" />
      <div className="book">
        <div className="book-back" />
        <div className="book-pages" />
        <div className="book-front">
          <Cover
            fetchPriority="high"
            // 0.87 of `--book`, which book.css turns by 30 degrees.
            sizes="(min-width: 84rem) 16rem, (min-width: 53rem) 19vw, 10rem"
            alt={coverText(book)}
          />
        </div>
      </div>
    </div>
  )
}

const maxArches = 12
const archesWithoutWords = 5
const middle = 400
const vanishing = 560
const ratio = 1.06

function Arches({ className }: { className: string }) {
  const { words } = useBook()
  return (
    <svg viewBox="0 -90 800 790" className={`fill-none stroke-gold ${className}`} aria-hidden>
      <defs>
        <radialGradient id="doorway" cx="0.5" cy="0.72" r="0.8">
          <stop offset="0" className="doorway-core" />
          <stop offset="0.5" className="doorway-glow" />
          <stop offset="1" className="doorway-rim" />
        </radialGradient>
      </defs>
      {Array.from({ length: Math.min(words.length || archesWithoutWords, maxArches) }, (_, index) => (
        <path
          key={index}
          d={outline(ratio ** index)}
          strokeOpacity={(0.85 * 0.76 ** index).toFixed(2)}
          strokeWidth={1.25}
          fill={index === 0 ? 'url(#doorway)' : undefined}
        />
      ))}
    </svg>
  )
}

function outline(scale: number): string {
  const half = round(215 * scale)
  const spring = round(vanishing - 185 * scale)
  const foot = round(vanishing + 70 * scale)
  return `M${middle - half} ${foot}V${spring}A${half} ${half} 0 0 1 ${middle + half} ${spring}V${foot}`
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
