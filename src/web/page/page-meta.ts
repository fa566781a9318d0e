// The title and the meta tags of a page.
import type { MetaDescriptor } from 'react-router'
import { siteTexts } from '#words/site.ts'
import { fill } from '#words/texts.ts'
import { coverText } from '../product/cover.tsx'
import type { Shop } from '../shop.ts'
import type { ShownBook } from '#contract/book/shown-book.ts'

type Page = Pick<Shop, 'siteUrl' | 'sharePicture'> & {
  book: ShownBook
  path: string
  title?: string
  description?: string
}

export function pageMeta({
  siteUrl,
  sharePicture,
  book,
  path,
  title,
  description = book.description,
}: Page): MetaDescriptor[] {
  const fullTitle = title ? `${title} · ${book.title}` : titleOf(book)
  const address = siteUrl + path
  const line = description.replaceAll(/\s+/g, ' ')
  const picture = siteUrl + (sharePicture ?? book.cover_files.social)
  const shown = coverText(book)
  return [
    { title: fullTitle },
    { name: 'description', content: shorten(line) },
    { tagName: 'link', rel: 'canonical', href: address },
    { property: 'og:type', content: 'book' },
    { property: 'og:site_name', content: book.title },
    { property: 'og:title', content: fullTitle },
    { property: 'og:description', content: line },
    { property: 'og:url', content: address },
    { property: 'og:image', content: picture },
    { property: 'og:image:width', content: '1200' },
    { property: 'og:image:height', content: '630' },
    { property: 'og:image:alt', content: shown },
    { name: 'twitter:card', content: 'summary_large_image' },
    { name: 'twitter:title', content: fullTitle },
    { name: 'twitter:description', content: description },
    { name: 'twitter:image', content: picture },
    { name: 'twitter:image:alt', content: shown },
  ]
}

/** Search engines show about as many characters. */
const maxDescription = 160

/** Ends behind a sentence, or else behind a word. */
function shorten(text: string): string {
  if (text.length <= maxDescription) return text
  const start = text.slice(0, maxDescription)
  const end = Math.max(...['. ', '! ', '? ', '。'].map((mark) => start.lastIndexOf(mark)))
  if (end > maxDescription / 2) return start.slice(0, end + 1)
  const word = start.lastIndexOf(' ')
  return `${start.slice(0, word > 0 ? word : maxDescription - 1)}…`.toWellFormed()
}

function titleOf({ is_sample, title, author }: ShownBook): string {
  if (is_sample || !author.name) return title
  return fill(siteTexts.titleByAuthor, { title, author: author.name })
}

/** Describes a page that search engines leave out. Several shops may be open in a browser: an own book names itself in it. */
export function unlisted(title: string, book?: Pick<ShownBook, 'title' | 'is_sample'>): MetaDescriptor[] {
  const ofBook = book && !book.is_sample ? ` · ${book.title}` : ''
  return [{ title: title + ofBook }, { name: 'robots', content: 'noindex' }]
}
