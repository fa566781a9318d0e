// The contents of a book whose chapters carry their own numbers, or none: below their parts, and folded where they are many.
// oxlint-disable react/no-array-index-key -- what is published never changes its order
import { fill, forCount } from '#words/texts.ts'
import { homeTexts } from '#words/home.ts'
import type { ShownBook } from '#contract/book/shown-book.ts'
import { Link } from '../../components/button.tsx'
import { SideSection } from '../../components/section.tsx'
import { useBook } from '../../shop.ts'
import { Colophon } from './colophon.tsx'
import { chapterId } from '../preview/chapter-id.ts'

type Entry = ShownBook['words'][number]

const maxUnfolded = 12

/** Else the words stand in a grid, with numbers that the page adds, or nowhere. */
export function hasContents({ words, words_have_own_numbers, sections }: ShownBook): boolean {
  const isShown = sections.some((each) => each.name === 'words' && each.is_shown)
  return isShown && words_have_own_numbers && words.length > 0
}

export function Contents() {
  const { words, words_title } = useBook()
  const chapters = words.filter(({ is_part }) => !is_part)
  // One more would take as much room as the line that unfolds it.
  const isFolded = chapters.length > maxUnfolded + 1
  const next = chapters[maxUnfolded]
  const end = isFolded && next ? endBefore(words, next) : words.length
  const count = chapters.length - maxUnfolded
  return (
    <SideSection
      id="words"
      title={words_title || homeTexts.words}
      className="border-y border-line bg-surface py-16 sm:py-20"
      below={<Colophon chapters={chapters.length} className="mt-8" />}
    >
      <Entries entries={words.slice(0, end)} />
      {isFolded && (
        <details className="group">
          <summary className="mt-6 w-fit cursor-pointer list-none rounded-sm py-2 font-semibold text-gold-text underline underline-offset-4 group-open:sr-only focus-visible:not-sr-only">
            <span className="group-open:hidden">
              {fill(forCount(homeTexts.moreChapters, count), { count })}
            </span>
            <span className="hidden group-open:inline">{homeTexts.fewerChapters}</span>
          </summary>
          <Entries entries={words.slice(end)} />
        </details>
      )}
    </SideSection>
  )
}

/** The title of a chapter, and the way to it where the preview has it. */
export function ChapterTitle({ word, chapter }: Entry) {
  if (chapter === undefined) return word
  return (
    <Link
      to={`/preview#${chapterId(chapter)}`}
      className="underline decoration-gold decoration-1 underline-offset-4 hover:decoration-2"
    >
      {word}
    </Link>
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

/** Read down the first column, then down the second. */
function Entries({ entries }: { entries: readonly Entry[] }) {
  return groupsOf(entries).map(({ part, chapters }, index) => (
    <div key={index} className={part ? 'mt-9 first:mt-0' : ''}>
      {part && <h3 className="mb-2 font-semibold tracking-wide text-balance text-gold-text">{part.word}</h3>}
      <ul className="gap-x-12 sm:columns-2">
        {chapters.map((chapter, at) => (
          <li key={at} className="break-inside-avoid py-1.5">
            <span className="font-display text-xl text-pretty wrap-anywhere">
              <ChapterTitle {...chapter} />
            </span>
            {chapter.line && <p className="text-sm text-pretty text-soft">{chapter.line}</p>}
          </li>
        ))}
      </ul>
    </div>
  ))
}
