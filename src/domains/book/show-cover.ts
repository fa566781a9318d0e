// The book's cover as the pages show it: the author's picture, the sample's, or a drawn one.
import { createHash } from 'node:crypto'
import { sampleBook } from '#content/sample-book.ts'
import { pictureUrl } from '#contract/files/renditions.ts'
import type { BookDocument } from '#contract/book/book.ts'
import { coverSize } from '#contract/book/cover-styles.ts'
import { drawCover } from '#contract/book/drawn-cover.ts'
import { looksCss } from '#contract/book/looks.ts'
import type { ShownBook } from '#contract/book/shown-book.ts'

export function showCover(document: BookDocument): Pick<ShownBook, 'drawn_cover' | 'cover_files'> {
  const { cover } = document
  if (cover)
    return {
      drawn_cover: null,
      cover_files: {
        social: pictureUrl(cover.id, 'social.jpg'),
        tab: pictureUrl(cover.id, 'icon-32.png'),
        apple: pictureUrl(cover.id, 'icon-180.png'),
        icon_192: pictureUrl(cover.id, 'icon-192.png'),
        icon_512: pictureUrl(cover.id, 'icon-512.png'),
      },
    }
  if (isSample(document))
    return {
      drawn_cover: null,
      cover_files: {
        social: '/social.png',
        tab: null,
        apple: '/apple-touch-icon.png',
        icon_192: '/icon-192.png',
        icon_512: '/icon-512.png',
      },
    }
  return {
    drawn_cover: drawCover(document),
    cover_files: {
      social: drawnCoverUrl(document, 'social.jpg'),
      tab: drawnCoverUrl(document, 'icon-32.png'),
      apple: drawnCoverUrl(document, 'icon-180.png'),
      icon_192: drawnCoverUrl(document, 'icon-192.png'),
      icon_512: drawnCoverUrl(document, 'icon-512.png'),
    },
  }
}

export function mailCover(document: BookDocument, siteUrl: string): { url: string; height: number } {
  const { cover } = document
  const path = cover ? pictureUrl(cover.id, '320.jpg') : drawnCoverUrl(document, 'mail.jpg')
  const { width, height } = cover ?? coverSize
  return { url: siteUrl + path, height: Math.round((56 * height) / width) }
}

export const drawnCoverFiles = [
  'social.jpg',
  'mail.jpg',
  'icon-32.png',
  'icon-180.png',
  'icon-192.png',
  'icon-512.png',
] as const
export type DrawnCoverFile = (typeof drawnCoverFiles)[number]

function drawnCoverUrl(document: BookDocument, file: DrawnCoverFile): string {
  return `/cover/${file}?v=${drawnCoverKey(document)}`
}

export function drawnCoverKey(document: BookDocument): string {
  const drawn = JSON.stringify([drawCover(document), document.looks])
  return createHash('sha256').update(drawn).digest('base64url').slice(0, 16)
}

/** The sample, also with other texts under its title. */
export function isSample(document: BookDocument): boolean {
  const shows = ({ title, product, author, words, looks }: BookDocument) =>
    [title, product, author.name, words.length, looksCss(looks), looks.cover_style].join('\n')
  return shows(document) === shows(sampleBook)
}

const [narrowest, widest] = [0.5, 1.1]

/** The shape of a book with this cover, as book.css uses it. */
export function coverCss(cover: BookDocument['cover']): string {
  if (!cover) return ''
  const ratio = Math.min(Math.max(cover.width / cover.height, narrowest), widest)
  return `:root{--cover-ratio:${ratio.toFixed(3)}}`
}
