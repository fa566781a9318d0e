import type { ShownBook } from '#features/book/contract/shown-book.ts'
import { useBook } from './book.ts'
import { DrawnCover } from './drawn-cover.tsx'
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
  return picture?.alt || `The cover of ${title}`
}
