// The home page: its sections in the order of the book’s document.
// oxlint-disable react/no-array-index-key -- what is published never changes its order
import { use, type ComponentType } from 'react'
import { buyingTexts } from '#words/buying.ts'
import { homeTexts } from '#words/home.ts'
import type { SectionName } from '#contract/book/book.ts'
import { contactPath, messageSentPath } from '#contract/paths.ts'
import type { ShownBook } from '#contract/book/shown-book.ts'
import { Anchor, Link, buttonClass, ButtonLink } from '../../components/button.tsx'
import { Container, Section, SideSection } from '../../components/section.tsx'
import { ArrowRight } from '../../components/icons.tsx'
import { pageMeta } from '../../page/page-meta.ts'
import { pageClass, Prose } from '../../format/prose.tsx'
import { useBook, useHasGuestCheckout, useIsForSale } from '../../shop.ts'
import { siteTexts } from '#words/site.ts'
import { SiteFooter, SiteHeader } from '../../page/site-frame.tsx'
import { Island, PageScript } from '../../page/island.tsx'
import { ProductsContext } from '../page-data.tsx'
import type { SiteContent, SitePage } from '../site-page.ts'
import { AboutAuthor } from './author.tsx'
import { BuyBar } from './buy-bar.tsx'
import { CodeLine } from '../discount/code-line.tsx'
import { takesCodes } from '../discount/entered-discount.ts'
import { Contact } from './contact.tsx'
import { ChapterTitle, Contents, hasContents } from './contents.tsx'
import { Colophon } from './colophon.tsx'
import { Hero, proofOf } from './hero.tsx'
import { bookJsonLd } from './json-ld.ts'
import { Offers } from './offers.tsx'
import { Rating } from './rating.tsx'
import { SectionPlace } from './section-place.tsx'

function planOf({ blueprint, words }: ShownBook) {
  return blueprint.parts.map((part, index) => {
    const first = blueprint.parts.slice(0, index).reduce((sum, { takes }) => sum + takes, 0)
    return { ...part, words: words.slice(first, first + part.takes).map(({ word }) => word) }
  })
}

/** The description's other sentences. */
function About() {
  const { is_sample, description, description_title, lead } = useBook()
  const rest = description.slice(lead.length).trim()
  if (is_sample || !rest) return null
  return (
    <SideSection id="about" title={description_title || homeTexts.aboutBook} className="pt-8 pb-16 sm:pb-24">
      <p className="max-w-[44rem] font-display text-xl leading-[1.6] whitespace-pre-line text-pretty">
        {rest}
      </p>
    </SideSection>
  )
}

function Blueprint() {
  const book = useBook()
  const { blueprint } = book
  const hasParts = blueprint.parts.length > 0
  return (
    <section
      id="blueprint"
      tabIndex={-1}
      aria-labelledby={blueprint.title && 'blueprint-title'}
      className="pt-8 pb-16 sm:pb-24"
    >
      <Container className={`grid gap-12 ${hasParts ? 'lg:grid-cols-2 lg:gap-20' : 'max-w-[48rem]'}`}>
        <div>
          {blueprint.title && (
            <h2 id="blueprint-title" className="font-display text-4xl text-balance">
              {blueprint.title}
            </h2>
          )}
          <p className="mt-7 font-display text-2xl leading-snug text-pretty">{blueprint.lead}</p>
          <p className="mt-5 max-w-[36rem] text-lg text-pretty text-soft">{blueprint.text}</p>
        </div>
        <ol hidden={!hasParts} className="border-s border-gold/50">
          {planOf(book).map(({ title, line, words }, index) => (
            <li key={index} className="relative pb-9 ps-8 last:pb-0 sm:ps-10">
              <span aria-hidden className="absolute top-2 -start-[5px] size-[9px] rotate-45 bg-gold" />
              <h3 className="text-sm font-semibold tracking-wide text-gold-text">{title}</h3>
              <p className="mt-1 font-display text-2xl">{words.join(', ')}</p>
              <p className="mt-1.5 text-pretty text-soft">{line}</p>
            </li>
          ))}
        </ol>
      </Container>
    </section>
  )
}

function Excerpt() {
  const { is_sample } = useBook()
  if (is_sample)
    return (
      <Section id="preview" title={homeTexts.readPreview} className="pt-8 pb-20 sm:pt-12 sm:pb-28">
        <Sheet className="mx-auto max-w-[46rem]" />
      </Section>
    )
  return (
    <SideSection
      id="preview"
      title={homeTexts.readPreview}
      className="pt-8 pb-20 sm:pt-12 sm:pb-28"
      isText={false}
      below={
        <p className="mt-6 max-lg:hidden">
          <KeepReading />
        </p>
      }
    >
      <Sheet />
    </SideSection>
  )
}

/** A page of the book; its end is out of sight. */
function Sheet({ className = '' }: { className?: string }) {
  const { excerpt, is_sample } = useBook()
  return (
    <article
      className={`relative rounded-sm border border-line bg-surface px-7 pt-12 shadow-xl shadow-ink/5 sm:px-16 sm:pt-16 ${className}`}
    >
      <h3 className="text-center font-display text-2xl text-balance">{excerpt.title}</h3>
      <div className={`${pageClass(excerpt.blocks)} mt-8 max-h-[32rem] overflow-hidden mask-b-from-60%`}>
        <Prose blocks={excerpt.blocks} />
      </div>
      <p className={`pt-2 pb-12 text-center ${is_sample ? '' : 'lg:hidden'}`}>
        <KeepReading />
      </p>
    </article>
  )
}

function KeepReading() {
  return (
    <Link
      to="/preview"
      className="inline-flex items-center gap-2 py-2 font-semibold text-gold-text underline underline-offset-4"
    >
      {homeTexts.keepReading}
      <ArrowRight aria-hidden className="size-4 rtl:-scale-x-100" />
    </Link>
  )
}

function Words() {
  const book = useBook()
  if (book.words.length === 0) return null
  if (book.words_have_own_numbers) return <Contents />
  return (
    <Section id="words" title={book.words_title || homeTexts.words}>
      <ol className="grid gap-px overflow-hidden border-y border-line sm:grid-cols-3">
        {book.words.map((entry, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- words may be equal
          <li key={index} className="flex gap-5 py-7 ring-1 ring-line sm:flex-col sm:gap-1 sm:p-6 lg:p-10">
            <span aria-hidden className="w-14 shrink-0 font-display text-numeral text-gold">
              {index + 1}
            </span>
            <div>
              <h3 className="font-display text-2xl">
                {book.is_sample ? entry.word : <ChapterTitle {...entry} />}
              </h3>
              <p className="mt-2 text-pretty text-soft">{entry.line}</p>
            </div>
          </li>
        ))}
      </ol>
    </Section>
  )
}

function Invitation() {
  const { invitation, author } = useBook()
  return (
    <section
      id="invitation"
      tabIndex={-1}
      aria-labelledby="invitation-title"
      className="night night-glow py-24 sm:py-32"
    >
      <Container className="text-center">
        <h2 id="invitation-title" className="mb-8 font-display text-3xl text-gold">
          {invitation.title || homeTexts.invitation}
        </h2>
        <div className="mx-auto max-w-[44rem] space-y-6 font-display text-2xl leading-normal text-pretty">
          <Prose blocks={invitation.blocks} />
        </div>
        <p className="mt-9 text-soft">{author.name}</p>
      </Container>
    </section>
  )
}

function FreeText() {
  const { text } = useBook()
  return (
    <Section id="text" title={text.title} className="py-14 sm:py-20">
      <div className="mx-auto max-w-[44rem] space-y-5 text-lg text-pretty">
        <Prose blocks={text.blocks} />
      </div>
    </Section>
  )
}

function Quotes() {
  const book = useBook()
  // One stands in the hero already.
  const proof = book.is_sample ? undefined : proofOf(book.quotes)
  const quotes = book.quotes.filter((quote) => quote !== proof)
  if (quotes.length === 0) return null
  const areFew = quotes.length < 3
  return (
    <Section id="quotes" title={homeTexts.quotes} className="py-14 sm:py-20">
      <ul className={areFew ? 'mx-auto max-w-[40rem] space-y-12 text-center' : 'columns-[20rem] gap-6'}>
        {quotes.map(({ text, by }, index) => (
          <li key={index} className={areFew ? '' : 'mb-6 break-inside-avoid'}>
            <figure className={areFew ? '' : 'rounded-lg border border-line bg-surface p-6 sm:p-8'}>
              <blockquote
                className={`font-display text-pretty wrap-anywhere ${areFew ? 'text-2xl' : 'text-xl'}`}
              >
                {text}
              </blockquote>
              <figcaption className="mt-4 text-soft wrap-anywhere">{by}</figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Questions() {
  const { questions } = useBook()
  return (
    <Section id="questions" title={homeTexts.questions} className="py-14 sm:py-20">
      <div className="mx-auto max-w-[44rem] border-t border-line">
        {questions.map(({ question, answer }, index) => (
          <details key={index} className="group border-b border-line">
            <summary className="flex cursor-pointer list-none items-baseline justify-between gap-6 rounded-sm py-5 font-display text-xl wrap-anywhere">
              {question}
              <span aria-hidden className="text-2xl text-gold-text group-open:rotate-45">
                +
              </span>
            </summary>
            <div className="space-y-4 pb-6 text-pretty text-soft wrap-anywhere">
              <Prose blocks={answer} />
            </div>
          </details>
        ))}
      </div>
    </Section>
  )
}

function Closing() {
  const { closing } = useBook()
  const isForSale = useIsForSale()
  if (!closing.title && !closing.line) return null
  return (
    <section
      id="closing"
      aria-labelledby={closing.title && 'closing-title'}
      className="closing-light overflow-x-clip py-24 sm:py-32"
    >
      <Container className="text-center">
        {closing.title && (
          <h2 id="closing-title" className="font-display text-4xl text-balance">
            {closing.title}
          </h2>
        )}
        <p className="mt-4 text-lg text-soft">{closing.line}</p>
        <div className="mt-9 flex flex-wrap justify-center gap-3">
          <Anchor to="book-sales" className={buttonClass('primary', 'min-h-13 text-lg max-sm:grow sm:px-7')}>
            {isForSale ? homeTexts.order : siteTexts.formatsAndPrices}
          </Anchor>
          <ButtonLink to="/preview" look="outline" className="min-h-13 text-lg max-sm:grow sm:px-7">
            {homeTexts.previewChapter}
          </ButtonLink>
        </div>
      </Container>
    </section>
  )
}

export const home: SitePage = {
  path: '/',
  tags: ({ data: { shop, products }, book }) => [
    ...pageMeta({ ...shop, book, path: '/' }),
    { 'script:ld+json': bookJsonLd({ ...shop, book }, products ?? []) },
  ],
  Page: Home,
}

/** The page that the contact form leads to, posted without scripts. */
export const messageSent: SitePage = {
  ...home,
  path: messageSentPath,
  sent: contactPath,
  tags: (content) => [...home.tags(content), { name: 'robots', content: 'noindex' }],
}

function Home({ shown: { missingSections } }: SiteContent) {
  const { sections, is_sample } = useBook()
  return (
    <>
      <SiteHeader notice={<Island name="offers" part="code" Part={CodeLine} />} />
      <main id="main" tabIndex={-1}>
        <Hero />
        <About />
        {sections.map(({ name, is_shown }) => {
          const Section = middle[name]
          const missing = missingSections?.find((each) => each.name === name)
          if (missing) return <SectionPlace key={name} {...missing} />
          return is_shown && <Section key={name} />
        })}
        <Closing />
      </main>
      {!is_sample && (
        // The bar hides where it would repeat what is there, or cover what is typed into.
        <>
          <template data-bar="#hero-actions, #book-sales, #contact, #closing, footer">
            <Island name="offers" part="bar" Part={BuyBar} />
          </template>
          <PageScript name="bars" />
        </>
      )}
      <SiteFooter />
    </>
  )
}

/** Only the page of a product reads a code without scripts. */
function CodeWithoutScripts() {
  const isBuyable = useHasGuestCheckout()
  const products = use(ProductsContext) ?? []
  if (!isBuyable || !takesCodes(products)) return null
  return (
    <noscript className="mb-10 block text-center text-pretty text-soft">{buyingTexts.codeAtFormat}</noscript>
  )
}

/** A product or a code that the address names, a code of this tab, a payment that was not finished. */
const offersWake = '?product ?code ?checkout discount-code'

function BookSales() {
  const book = useBook()
  const { rating } = book
  const isForSale = useIsForSale()
  const wakes = use(ProductsContext) ? offersWake : '*'
  return (
    <Section
      id="book-sales"
      title={isForSale ? homeTexts.getYourCopy : siteTexts.formatsAndPrices}
      className="py-20 sm:py-28"
      lead={
        rating && (
          <div className="flex justify-center">
            <Rating {...rating} />
          </div>
        )
      }
    >
      <CodeWithoutScripts />
      <Island name="offers" part="sales" Part={Offers} wakes={wakes} />
      {!hasContents(book) && <Colophon className="mx-auto mt-10 w-fit max-w-2xl" />}
    </Section>
  )
}

const middle: Record<SectionName, ComponentType> = {
  blueprint: Blueprint,
  preview: Excerpt,
  words: Words,
  invitation: Invitation,
  text: FreeText,
  author: AboutAuthor,
  quotes: Quotes,
  questions: Questions,
  purchase: BookSales,
  contact: Contact,
}
