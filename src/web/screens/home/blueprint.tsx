// oxlint-disable react/no-array-index-key -- what is published never changes its order
import type { ShownBook } from '#features/book/contract/shown-book.ts'
import { useBook } from '../../book.ts'
import { Container } from '../../components/container.tsx'

function planOf({ blueprint, words }: ShownBook) {
  return blueprint.parts.map((part, index) => {
    const first = blueprint.parts.slice(0, index).reduce((sum, { takes }) => sum + takes, 0)
    return { ...part, words: words.slice(first, first + part.takes).map(({ word }) => word) }
  })
}

export function Blueprint() {
  const book = useBook()
  const { blueprint } = book
  return (
    <section id="blueprint" tabIndex={-1} aria-labelledby="blueprint-title" className="py-16 sm:py-24">
      <Container className="grid gap-12 lg:grid-cols-2 lg:gap-20">
        <div className="self-center">
          <h2 id="blueprint-title" className="font-display text-4xl text-balance">
            {blueprint.title}
          </h2>
          <p className="mt-7 font-display text-2xl leading-snug text-pretty">{blueprint.lead}</p>
          <p className="mt-5 max-w-[36rem] text-lg text-pretty text-soft">{blueprint.text}</p>
        </div>
        <ol className="border-l border-gold/50">
          {planOf(book).map(({ title, line, words }, index) => (
            <li key={index} className="relative pb-9 pl-8 last:pb-0 sm:pl-10">
              <span aria-hidden className="absolute top-2 -left-[5px] size-[9px] rotate-45 bg-gold" />
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
