// The book's beginning, its preface and first chapter, to be read in peace.
import { ArrowLeft } from '../../components/icons.tsx'
import { Link } from 'react-router'
import { book } from '#content/book.ts'
import { afterPreview } from '#content/home.ts'
import { firstChapter } from '#content/first-chapter.ts'
import { preface } from '#content/preface.ts'
import { pageMeta } from '../../page-meta.ts'
import { Prose } from '../../prose.tsx'
import { SiteFooter } from '../../site-footer.tsx'
import { SiteHeader } from '../../site-header.tsx'
import { ButtonLink } from '../../components/button.tsx'
import { Container } from '../../components/container.tsx'
import type { Route } from './+types/preview.ts'

export function meta({ matches }: Route.MetaArgs) {
  const { siteUrl } = matches[0].loaderData
  return pageMeta({
    siteUrl,
    path: '/preview',
    title: `${preface.title}, and ${firstChapter.title}`,
    description: `Read the preface and the first chapter of ${book.title}.`,
  })
}

export default function Preview() {
  return (
    <>
      <SiteHeader />
      <main id="main" tabIndex={-1} className="pt-6 pb-24 sm:pt-10">
        <Container isText>
          <Link
            to="/"
            className="inline-flex items-center gap-2 py-2 font-semibold text-gold-text underline-offset-4 hover:underline"
          >
            <ArrowLeft aria-hidden className="size-4" />
            Back to the book
          </Link>
          <article>
            <header className="py-14 text-center sm:py-20">
              <h1 className="font-display text-4xl text-balance">{preface.title}</h1>
              <p className="mt-4 text-soft">
                The beginning of {book.title} by {book.author.name}
              </p>
            </header>
            <div className="book-page">
              <Prose blocks={preface.blocks} />
            </div>
          </article>
          <FirstChapter />
          <Onward />
        </Container>
      </main>
      <SiteFooter />
    </>
  )
}

function FirstChapter() {
  const { number, title, blocks } = firstChapter
  return (
    <article aria-labelledby="first-chapter" className="mt-24 border-t border-line">
      <header className="py-14 text-center sm:py-20">
        <p className="font-display text-numeral text-gold">{number}</p>
        <h2 id="first-chapter" className="mt-3 font-display text-4xl text-balance">
          {title}
        </h2>
      </header>
      <div className="book-page">
        <Prose blocks={blocks} />
      </div>
    </article>
  )
}

function Onward() {
  return (
    <aside aria-labelledby="onward" className="mt-20 border-t border-line pt-12 text-center">
      <h2 id="onward" className="font-display text-3xl">
        {afterPreview}
      </h2>
      <ButtonLink to="/#book-sales" className="mt-7 min-h-13 px-7 text-lg">
        Get the Book
      </ButtonLink>
    </aside>
  )
}
