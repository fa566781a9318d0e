import type { ShownBook } from '#features/book/contract/shown-book.ts'
import { useBook } from '../../book.ts'
import { Anchor } from '../../components/anchor.tsx'
import { buttonClass } from '../../components/button.tsx'
import { Container } from '../../components/container.tsx'
import { BookInLight } from './book-in-light.tsx'

export function Hero() {
  const book = useBook()
  return (
    <section aria-labelledby="title" className="overflow-x-clip pb-12">
      <Container className="grid items-center gap-20 pt-6 sm:pt-10 lg:grid-cols-[1.08fr_1fr] lg:gap-8">
        <div className="max-lg:text-center">
          <h1 id="title" aria-label={book.title} className="font-display">
            <Title {...book.title_parts} />
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

function Title({ before, product, after }: ShownBook['title_parts']) {
  if (!product)
    return <span className="block text-4xl font-medium text-balance sm:text-5xl">{print(before)}</span>
  return (
    <>
      {before}
      <span className="block text-hero font-medium tracking-[-0.02em]">{print(product)}</span>
      <span className="mt-3 block text-3xl font-medium tracking-[-0.01em] sm:text-4xl lg:whitespace-nowrap">
        {after}
      </span>
    </>
  )
}

/** At this size a straight apostrophe is noticed, beside the cover that has a curved one. */
function print(title: string): string {
  return title.replaceAll("'", '’')
}
