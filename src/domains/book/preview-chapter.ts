import { optionalLine, optionalText } from '#contract/fields.ts'
import type { Chapter } from '#contract/files/read-book.ts'
import type { BookDocument } from '#contract/book/book.ts'

const maxPreviewText = 200_000

/** A long one ends behind a paragraph, or behind a word of one that is long itself. */
export function previewOf({
  title,
  markdown,
}: Pick<Chapter, 'title' | 'markdown'>): BookDocument['preview']['chapters'][number] {
  return {
    number: null,
    title: cutLine(title, 300),
    text: optionalText(maxPreviewText).catch('').parse(cutText(markdown)),
  }
}

function cutText(markdown: string): string {
  if (markdown.length <= maxPreviewText) return markdown
  const ends = ['\n\n', '\n', ' '].map((gap) => markdown.lastIndexOf(gap, maxPreviewText))
  const end = ends.find((place) => place > maxPreviewText / 2) ?? maxPreviewText
  // Half of a pair of UTF-16 is no character.
  return markdown.slice(0, end).replace(/[\uD800-\uDBFF]$/, '')
}

export function cutLine(text: string, most: number): string {
  const words = text.replaceAll(/\s+/g, ' ').trim()
  const end = words.lastIndexOf(' ', most - 1)
  const short = words.length > most ? `${words.slice(0, end > 0 ? end : most - 1)}…` : words
  return optionalLine(most).catch('').parse(short.toWellFormed())
}
