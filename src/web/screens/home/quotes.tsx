// oxlint-disable react/no-array-index-key -- what is published never changes its order
import { useBook } from '../../book.ts'
import { Section } from '../../components/section.tsx'

export function Quotes() {
  const { quotes } = useBook()
  return (
    <Section id="quotes" title="What readers say">
      <ul className="columns-[20rem] gap-6">
        {quotes.map(({ text, by }, index) => (
          <li key={index} className="mb-6 break-inside-avoid">
            <figure className="rounded-lg border border-line bg-surface p-6 sm:p-8">
              <blockquote className="font-display text-xl text-pretty wrap-anywhere">{text}</blockquote>
              <figcaption className="mt-4 text-soft wrap-anywhere">{by}</figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </Section>
  )
}
