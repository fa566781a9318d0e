// The cover of the book: its picture, or the drawn one.
import type { ComponentProps } from 'react'
import { preload } from 'react-dom'
import type { Picture as StoredPicture } from '#contract/files/pictures.ts'
import { pictureSources, pictureUrl } from '#contract/files/renditions.ts'
import { siteTexts } from '#words/site.ts'
import { fill } from '#words/texts.ts'
import type { ShownBook, DrawnCover as Drawing } from '#contract/book/shown-book.ts'
import { useBookFacts } from '../shop.ts'
import cover from '../generated/cover.svg?url'

type PictureProps = Omit<ComponentProps<'img'>, 'src' | 'srcSet' | 'width' | 'height'> & {
  picture: StoredPicture
  alt: string
  sizes: string
}

export function Picture({ picture, alt, sizes, ...rest }: PictureProps) {
  const webp = pictureSources(picture, 'webp')
  // React does this itself for an `img` outside of a `picture`.
  if (rest.fetchPriority === 'high')
    preload(pictureUrl(picture.id, '640.webp'), {
      as: 'image',
      type: 'image/webp',
      imageSrcSet: webp,
      imageSizes: sizes,
      fetchPriority: 'high',
    })
  return (
    <picture className="contents">
      {/* It would take a cell of the grid that the picture stands in. */}
      <source hidden type="image/webp" srcSet={webp} sizes={sizes} />
      <img
        src={pictureUrl(picture.id, '640.jpg')}
        srcSet={pictureSources(picture, 'jpg')}
        sizes={sizes}
        width={picture.width}
        height={picture.height}
        alt={alt}
        {...rest}
      />
    </picture>
  )
}

type CoverProps = {
  sizes: string
  alt?: string
  className?: string
  fetchPriority?: 'high'
  loading?: 'lazy'
}

export function Cover({ sizes, alt = '', ...look }: CoverProps) {
  const book = useBookFacts()
  if (book.cover) return <Picture picture={book.cover} sizes={sizes} alt={alt} {...look} />
  if (book.drawn_cover) return <DrawnCover cover={book.drawn_cover} alt={alt} className={look.className} />
  return <img src={cover} width={1100} height={1700} alt={alt} {...look} />
}

export function coverText({ cover: picture, title }: Pick<ShownBook, 'cover' | 'title'>): string {
  return picture?.alt || fill(siteTexts.coverOf, { title })
}

export function CoverShapes({ cover: { shapes }, className }: { cover: Drawing; className?: string }) {
  return (
    <svg viewBox="0 0 2200 3400" preserveAspectRatio="none" className={className} aria-hidden>
      {shapes.map((shape) => (
        <path key={shape.d} strokeWidth={5} {...shape} />
      ))}
    </svg>
  )
}

const titleParts = ['large', 'small', 'subtitle'] as const

/** Its classes, of book.css, have the sizes of `letterSizes`. */
export function DrawnCover({
  cover,
  alt = '',
  className = '',
}: {
  cover: Drawing
  alt?: string
  className?: string | undefined
}) {
  const letters = (part: keyof Drawing['sizes']) => `letters-${cover.sizes[part]}`
  return (
    <div role="img" aria-label={alt} aria-hidden={!alt} className={`drawn-cover ${className}`}>
      <CoverShapes cover={cover} />
      <p className="drawn-title">
        {titleParts.map(
          (part) =>
            cover[part] && (
              <span key={part} dir="auto" className={letters(part)}>
                {cover[part]}
              </span>
            ),
        )}
      </p>
      <p dir="auto" className={`drawn-author ${letters('author')}`}>
        {cover.author}
      </p>
    </div>
  )
}
