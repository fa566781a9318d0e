import { siteTexts } from '#words/site.ts'
import { fill } from '#words/fill.ts'
import type { ShownBook, DrawnCover as Drawing } from '#features/book/contract/shown-book.ts'
import { useBook } from './shop.ts'
import cover from './generated/cover.svg?url'
import { Picture } from './picture.tsx'

type CoverProps = {
  sizes: string
  alt?: string
  className?: string
  fetchPriority?: 'high'
  loading?: 'lazy'
}

export function Cover({ sizes, alt = '', ...look }: CoverProps) {
  const book = useBook()
  if (book.cover) return <Picture picture={book.cover} sizes={sizes} alt={alt} {...look} />
  if (book.drawn_cover) return <DrawnCover cover={book.drawn_cover} alt={alt} className={look.className} />
  return <img src={cover} width={1100} height={1700} alt={alt} {...look} />
}

export function coverText({ cover: picture, title }: ShownBook): string {
  return picture?.alt || fill(siteTexts.coverOf, { title })
}

/** In the places of `letterSizes`: each in full, so that Tailwind makes its class. */
export const letterClasses = [
  'text-[21cqi]',
  'text-[18cqi]',
  'text-[15cqi]',
  'text-[12.5cqi]',
  'text-[10.5cqi]',
  'text-[8.5cqi]',
  'text-[7cqi]',
  'text-[6cqi]',
  'text-[5cqi]',
  'text-[4.2cqi]',
  'text-[3.5cqi]',
  'text-[2.9cqi]',
  'text-[2.4cqi]',
]

export function CoverShapes({
  cover: { ground, shapes },
  className,
}: {
  cover: Drawing
  className?: string
}) {
  return (
    <svg viewBox="0 0 2200 3400" preserveAspectRatio="none" className={className} aria-hidden>
      <path d="M0 0h2200v3400H0z" fill={ground} />
      {shapes.map((shape) => (
        <path key={shape.d} strokeWidth={5} {...shape} />
      ))}
    </svg>
  )
}

export function DrawnCover({
  cover,
  alt = '',
  className = '',
}: {
  cover: Drawing
  alt?: string
  className?: string | undefined
}) {
  const { large, small, subtitle, author, sizes } = cover
  return (
    <div
      {...(alt ? { role: 'img', 'aria-label': alt } : { 'aria-hidden': true })}
      data-style={cover.style}
      className={`drawn-cover ${className}`}
    >
      <CoverShapes cover={cover} />
      <p className="drawn-title">
        <span dir="auto" className={letterClasses[sizes.large]}>
          {large}
        </span>
        {small && (
          <span dir="auto" className={letterClasses[sizes.small]}>
            {small}
          </span>
        )}
        {subtitle && (
          <span dir="auto" className={letterClasses[sizes.subtitle]}>
            {subtitle}
          </span>
        )}
      </p>
      <p dir="auto" className={`drawn-author ${letterClasses[sizes.author]}`}>
        {author}
      </p>
    </div>
  )
}
