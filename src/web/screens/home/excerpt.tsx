import { ArrowRight } from '../../components/icons.tsx'
import { Link } from 'react-router'
import { useBook } from '../../book.ts'
import { Prose } from '../../prose.tsx'
import { Section } from '../../components/section.tsx'

export function Excerpt() {
  const { excerpt } = useBook()
  return (
    <Section id="preview" title="Read a Preview">
      <article className="relative mx-auto max-w-[46rem] rounded-sm border border-line bg-surface px-7 pt-12 shadow-xl shadow-ink/5 sm:px-16 sm:pt-16">
        <h3 className="text-center font-display text-2xl">{excerpt.title}</h3>
        <div className="book-page mt-8 max-h-[32rem] overflow-hidden mask-b-from-60%">
          <Prose blocks={excerpt.blocks} />
        </div>
        <p className="pt-2 pb-12 text-center">
          <Link
            to="/preview"
            className="inline-flex items-center gap-2 py-2 font-semibold text-gold-text underline underline-offset-4"
          >
            Keep reading
            <ArrowRight aria-hidden className="size-4" />
          </Link>
        </p>
      </article>
    </Section>
  )
}
