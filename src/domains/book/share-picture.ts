// The picture that networks show beside a link to an own book: its words, and its address.
import { createHash } from 'node:crypto'
import type { BookDocument } from '#contract/book/book.ts'
import { drawCover } from '#contract/book/drawn-cover.ts'
import type { DrawnCover } from '#contract/book/shown-book.ts'
import type { Product } from '#contract/catalog/products.ts'
import { formats } from '#contract/catalog/formats.ts'
import { formatsTexts } from '#words/buying.ts'
import type { Wording } from '#words/texts.ts'
import { withTexts } from '#words/wording.ts'
import { isWritten } from './picture-letters.ts'
import { isSample } from './show-book.ts'

type SharedBook = { document: BookDocument; wording: Wording }

export type SharePicture = {
  /** It has the title's parts also where the book has a picture of its cover. */
  cover: DrawnCover
  /** The names of the formats, in the book's language. */
  formats: string
  isWritten: boolean
  /** Another one for each other picture. */
  key: string
}

export function sharePicture(
  { document, wording }: SharedBook,
  products: readonly Product[] = [],
): SharePicture {
  const cover = drawCover(document)
  const { shapes, ...words } = cover
  const { large, small, subtitle, author } = words
  const names = withTexts(wording, () => nameFormats(products))
  const drawn = [words, names, document.looks, document.cover?.id ?? shapes]
  return {
    cover,
    formats: names,
    // The subtitle stands on a drawn cover alone.
    isWritten: isWritten([large, small, author, names, document.cover ? '' : subtitle]),
    key: createHash('sha256').update(JSON.stringify(drawn)).digest('base64url').slice(0, 16),
  }
}

/** Null for the sample, and where the fonts lack letters: then links show the picture of the cover. */
export function sharePictureUrl(book: SharedBook, products?: readonly Product[]): string | null {
  if (isSample(book.document)) return null
  const picture = sharePicture(book, products)
  return picture.isWritten ? `/cover/share.jpg?v=${picture.key}` : null
}

/** A bundle is named by what it holds. */
function nameFormats(products: readonly Product[]): string {
  const listed = new Set(products.flatMap(({ format, holds }) => [format, ...holds]))
  return formats
    .filter((format) => format !== 'bundle' && listed.has(format))
    .map((format) => formatsTexts.names[format])
    .join(' · ')
}
