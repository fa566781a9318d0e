import { useBook } from '../../book.ts'
import { Section } from '../../components/section.tsx'

export function Words() {
  const book = useBook()
  return (
    <Section id="words" title={book.words_title}>
      <ol className="grid gap-px overflow-hidden border-y border-line sm:grid-cols-3">
        {book.words.map(({ word, line }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- words may be equal
          <li key={index} className="flex gap-5 py-7 ring-1 ring-line sm:flex-col sm:gap-1 sm:p-6 lg:p-10">
            <span aria-hidden className="w-14 shrink-0 font-display text-numeral text-gold">
              {index + 1}
            </span>
            <div>
              <h3 className="font-display text-2xl">{word}</h3>
              <p className="mt-2 text-pretty text-soft">{line}</p>
            </div>
          </li>
        ))}
      </ol>
    </Section>
  )
}
