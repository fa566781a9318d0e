import type { DrawnCover as Drawing } from '#features/book/contract/shown-book.ts'

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
]

export function DrawnCover({
  cover,
  alt,
  className = '',
}: {
  cover: Drawing
  alt: string
  className?: string | undefined
}) {
  const { ground, shapes, large, small, subtitle, author, sizes } = cover
  return (
    <div
      {...(alt ? { role: 'img', 'aria-label': alt } : { 'aria-hidden': true })}
      className={`drawn-cover ${className}`}
    >
      <svg viewBox="0 0 2200 3400" preserveAspectRatio="none" aria-hidden>
        <path d="M0 0h2200v3400H0z" fill={ground} />
        {shapes.map((shape) => (
          <path key={shape.d} strokeWidth={5} {...shape} />
        ))}
      </svg>
      <p className="drawn-title">
        <span dir="auto" className={letterClasses[sizes.large]}>
          {large}
        </span>
        {small && (
          <span dir="auto" className={letterClasses[sizes.small]}>
            {small}
          </span>
        )}
        {subtitle && <span dir="auto">{subtitle}</span>}
      </p>
      <p dir="auto" className="drawn-author">
        {author}
      </p>
    </div>
  )
}
