import { useBook } from '../../book.ts'
import { Anchor } from '../../components/anchor.tsx'
import { buttonClass, ButtonLink } from '../../components/button.tsx'
import { Container } from '../../components/container.tsx'

export function Closing() {
  const { closing } = useBook()
  return (
    <section aria-labelledby="closing-title" className="closing-light overflow-x-clip py-24 sm:py-32">
      <Container className="text-center">
        <h2 id="closing-title" className="font-display text-4xl text-balance">
          {closing.title}
        </h2>
        <p className="mt-4 text-lg text-soft">{closing.line}</p>
        <div className="mt-9 flex flex-wrap justify-center gap-3">
          <Anchor to="book-sales" className={buttonClass('primary', 'min-h-13 text-lg max-sm:grow sm:px-7')}>
            Order Your Copy Today
          </Anchor>
          <ButtonLink to="/preview" look="outline" className="min-h-13 text-lg max-sm:grow sm:px-7">
            Preview Sample Chapter
          </ButtonLink>
        </div>
      </Container>
    </section>
  )
}
