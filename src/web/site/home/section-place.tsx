// The place of a section that is still empty, for the author alone: the preview of the draft shows it.
import { homeTexts } from '#words/home.ts'
import type { MissingSection } from '#contract/book/shown-book.ts'
import { Container } from '../../components/section.tsx'

export function SectionPlace({ name, text }: MissingSection) {
  return (
    <section id={name} aria-labelledby={`${name}-title`} className="py-14">
      <Container>
        <div className="mx-auto max-w-[44rem] rounded-lg border-2 border-dashed border-edge px-6 py-10 text-center text-soft">
          <h2 id={`${name}-title`} className="font-display text-2xl text-balance">
            {name === 'author' ? homeTexts.aboutAuthor : homeTexts.quotes}
          </h2>
          {/* The admin area is in English, whatever the book is in. */}
          <p lang="en" dir="ltr" className="mt-3 text-pretty">
            {text}
          </p>
        </div>
      </Container>
    </section>
  )
}
