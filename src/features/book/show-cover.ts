// The book's cover as the pages show it: the author's picture, the sample's, or a drawn one.
import { createHash } from 'node:crypto'
import { sampleBook } from '#content/sample-book.ts'
import { pictureUrl } from '../pictures/contract/renditions.ts'
import type { BookDocument } from './contract/book.ts'
import { looksCss } from './contract/looks.ts'
import type { DrawnCover, ShownBook } from './contract/shown-book.ts'
import { coverSize, drawCover } from './drawn-cover.ts'
import { splitTitle } from './split-title.ts'

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
  // At the size of an icon no title can be read: a book without a picture has those of the build.
  const own = {
    tab: null,
    apple: '/apple-touch-icon.png',
    icon_192: '/icon-192.png',
    icon_512: '/icon-512.png',
  }
  if (isSample(document)) return { drawn_cover: null, cover_files: { ...own, social: '/social.png' } }
  return {
    drawn_cover: drawnCoverOf(document),
    cover_files: { ...own, social: drawnCoverUrl(document, 'social') },
  }
}

export function drawnCoverOf(document: BookDocument): DrawnCover {
  const { before, product, after } = splitTitle(document)
  // A product in the middle of a title would be read first.
  const title =
    before || !product ? { large: [before, product, after].filter(Boolean).join(' '), small: '' } : undefined
  return drawCover(document, title ?? { large: product, small: after })
}

export function mailCover(document: BookDocument, siteUrl: string): { url: string; height: number } {
  const { cover } = document
  const path = cover ? pictureUrl(cover.id, '320.jpg') : drawnCoverUrl(document, 'mail')
  const { width, height } = cover ?? coverSize
  return { url: siteUrl + path, height: Math.round((56 * height) / width) }
}

export const drawnCoverNames = ['social', 'mail'] as const
export type DrawnCoverName = (typeof drawnCoverNames)[number]

function drawnCoverUrl(document: BookDocument, name: DrawnCoverName): string {
  return `/api/cover/${name}.jpg?v=${drawnCoverKey(document)}`
}

export function drawnCoverKey(document: BookDocument): string {
  const drawn = JSON.stringify([drawnCoverOf(document), document.looks])
  return createHash('sha256').update(drawn).digest('base64url').slice(0, 16)
}

/** The sample, also with other texts under its title. */
export function isSample(document: BookDocument): boolean {
  const shows = ({ title, product, author, words, looks }: BookDocument) =>
    [title, product, author.name, words.length, looksCss(looks)].join('\n')
  return shows(document) === shows(sampleBook)
}

const [narrowest, widest] = [0.5, 1.1]

/** The shape of a book with this cover, as book.css uses it. */
export function coverCss(cover: BookDocument['cover']): string {
  if (!cover) return ''
  const ratio = Math.min(Math.max(cover.width / cover.height, narrowest), widest)
  return `:root{--cover-ratio:${ratio.toFixed(3)}}`
}
