import type { Block, Span } from '#contract/book/blocks.ts'
import type { BookDocument } from '#contract/book/book.ts'
import { legalPageNames } from '#contract/book/legal.ts'
import { parseMarkdown } from './markdown.ts'

/** `place` continues "The link … in". */
type Text = { field: string; place: string; text: string }

export type BookLink = Omit<Text, 'text'> & { href: string }

const maxLinks = 20

export function linksIn(document: BookDocument): BookLink[] {
  return textsOf(document)
    .flatMap(({ field, place, text }) =>
      [...new Set(parseMarkdown(text).flatMap(linksOf))].map((href) => ({ field, place, href })),
    )
    .filter(({ href }) => /^https?:/i.test(href))
    .slice(0, maxLinks)
}

function textsOf({ author, invitation, text, preview, questions, legal }: BookDocument): Text[] {
  return [
    { field: 'author.biography', place: 'the author’s biography', text: author.biography },
    { field: 'invitation.text', place: 'the invitation', text: invitation.text },
    { field: 'text.text', place: 'your own text', text: text.text },
    ...preview.chapters.map((chapter, at) => ({
      field: `preview.chapters.${at}.text`,
      place: `the preview’s chapter ${at + 1}${quote(chapter.title)}`,
      text: chapter.text,
    })),
    ...questions.map(({ question, answer }, at) => ({
      field: `questions.${at}.answer`,
      place: `the answer to question ${at + 1}${quote(question)}`,
      text: answer,
    })),
    ...legalPageNames
      .filter((name) => legal.pages[name].is_shown)
      .map((name) => ({
        field: `legal.pages.${name}.text`,
        place: `the legal page${quote(legal.pages[name].title)}`,
        text: legal.pages[name].text,
      })),
  ]
}

function quote(title: string): string {
  return title && ` “${title}”`
}

function linksOf(block: Block): string[] {
  switch (block.kind) {
    case 'paragraph':
      return block.spans.flatMap(hrefOf)
    case 'quotation':
      return block.lines.flat().flatMap(hrefOf)
    case 'list':
      return block.items.flat().flatMap(linksOf)
    default:
      return []
  }
}

function hrefOf(span: Span): string[] {
  return 'href' in span ? [span.href] : []
}
