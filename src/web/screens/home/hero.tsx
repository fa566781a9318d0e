// First sight: the title as on the cover, and the book in its light.
import { book } from '#content/book.ts'
import { Anchor } from '../../components/anchor.tsx'
import { buttonClass } from '../../components/button.tsx'
import { Container } from '../../components/container.tsx'
import { BookInLight } from './book-in-light.tsx'

const [before = '', after = ''] = book.title.split(book.product)

/** At this size a straight apostrophe is noticed, beside the cover that has a curved one. */
const printedProduct = book.product.replaceAll("'", '’')

export function Hero() {
  return (
    <section aria-labelledby="title" className="overflow-x-clip pb-12">
      <Container className="grid items-center gap-20 pt-6 sm:pt-10 lg:grid-cols-[1.08fr_1fr] lg:gap-8">
        <div className="max-lg:text-center">
          <h1 id="title" aria-label={book.title} className="font-display">
            {before}
            <span className="block text-hero font-medium tracking-[-0.02em]">{printedProduct}</span>
            <span className="mt-3 block text-3xl font-medium tracking-[-0.01em] sm:text-4xl lg:whitespace-nowrap">
              {after}
            </span>
          </h1>
          <p className="mx-auto mt-7 max-w-[34rem] text-lg text-pretty text-soft lg:mx-0">
            {book.description}
          </p>
          <div className="mt-9 flex flex-wrap gap-3 max-lg:justify-center">
            <Anchor
              to="book-sales"
              className={buttonClass('primary', 'min-h-13 text-lg max-sm:grow sm:px-7')}
            >
              Get the Book
            </Anchor>
            <Anchor to="preview" className={buttonClass('outline', 'min-h-13 text-lg max-sm:grow sm:px-7')}>
              Learn More
            </Anchor>
          </div>
        </div>
        <BookInLight />
      </Container>
    </section>
  )
}
