// oxlint-disable react/no-array-index-key -- what is published never changes its order
import { useBook } from '../../book.ts'
import { Prose } from '../../prose.tsx'
import { Section } from '../../components/section.tsx'

export function Questions() {
  const { questions } = useBook()
  return (
    <Section id="questions" title="Questions and answers">
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
