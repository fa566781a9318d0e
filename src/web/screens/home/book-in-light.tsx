import { useBook } from '../../book.ts'
import { Cover, coverText } from '../../cover.tsx'
import { Arches } from './arches.tsx'

export function BookInLight() {
  const book = useBook()
  return (
    <div className="niche">
      <Arches className="niche-arches" />
      <div className="niche-floor" />
      <div className="book-shadow" />
      <div className="book">
        <div className="book-back" />
        <div className="book-pages" />
        <div className="book-front">
          <Cover
            fetchPriority="high"
            sizes="(min-width: 84rem) 18.5rem, (min-width: 53rem) 22vw, 11.5rem"
            alt={coverText(book)}
          />
        </div>
      </div>
    </div>
  )
}
