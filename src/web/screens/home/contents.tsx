// oxlint-disable react/no-array-index-key -- what is published never changes its order
// The contents of a book whose chapters carry their own numbers, or none: below their parts, and folded where they are many.
import { fill } from '#words/fill.ts'
import { homeTexts } from '#words/home.ts'
import type { ShownBook } from '#features/book/contract/shown-book.ts'
import { Section } from '../../components/section.tsx'
import { useBook } from '../../shop.ts'

type Entry = ShownBook['words'][number]

const maxUnfolded = 12

export function Contents() {
  const { words, words_title } = useBook()
  const chapters = words.filter(({ is_part }) => !is_part)
  // One more would take as much room as the line that unfolds it.
  const isFolded = chapters.length > maxUnfolded + 1
  const next = chapters[maxUnfolded]
  const end = isFolded && next ? endBefore(words, next) : words.length
  const count = chapters.length - maxUnfolded
  return (
    <Section id="words" title={words_title || homeTexts.words}>
      <div className="mx-auto max-w-4xl">
        <Entries entries={words.slice(0, end)} />
        {isFolded && (
          <details className="group">
            <summary className="mx-auto mt-6 w-fit cursor-pointer list-none rounded-sm py-2 font-semibold text-gold-text underline underline-offset-4 group-open:sr-only focus-visible:not-sr-only">
              <span className="group-open:hidden">{fill(homeTexts.moreChapters, { count })}</span>
              <span className="hidden group-open:inline">{homeTexts.fewerChapters}</span>
            </summary>
            <Entries entries={words.slice(end)} />
          </details>
        )}
      </div>
    </Section>
  )
}

/** A part's title stays with its first chapter. */
function endBefore(words: readonly Entry[], chapter: Entry): number {
  const at = words.indexOf(chapter)
  return words[at - 1]?.is_part ? at - 1 : at
}

type Group = { part?: Entry; chapters: Entry[] }

function groupsOf(entries: readonly Entry[]): Group[] {
  const groups: Group[] = []
  for (const entry of entries) {
    if (entry.is_part) groups.push({ part: entry, chapters: [] })
    else if (groups.length === 0) groups.push({ chapters: [entry] })
    else groups.at(-1)?.chapters.push(entry)
  }
  return groups
}

function Entries({ entries }: { entries: readonly Entry[] }) {
  return groupsOf(entries).map(({ part, chapters }, index) => (
    <div key={index} className={part ? 'mt-10 first:mt-0' : ''}>
      {part && <h3 className="mb-3 font-semibold tracking-wide text-balance text-gold-text">{part.word}</h3>}
      <ul className="sm:grid sm:grid-cols-2 sm:gap-x-12">
        {chapters.map(({ word, line }, at) => (
          <li key={at} className="border-b border-line py-3.5">
            <span className="font-display text-xl text-pretty wrap-anywhere">{word}</span>
            {line && <p className="mt-1 text-pretty text-soft">{line}</p>}
          </li>
        ))}
      </ul>
    </div>
  ))
}
