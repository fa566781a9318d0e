// What an author may want to know before publishing: links that lead nowhere, a missing picture, words without a place.
import type { Services } from '../../services.ts'
import type { Block, Span } from './contract/blocks.ts'
import type { BookDocument } from './contract/book.ts'
import type { DraftWarning } from './contract/drafts.ts'
import { legalPageNames } from './contract/legal.ts'
import { findLinkFault } from './draft-links.ts'
import { parseMarkdown } from './markdown.ts'

/** `place` continues "The link … in". */
type Text = { field: string; place: string; text: string }

const maxLinks = 20

/** Of links, the first `maxLinks` are looked at. */
export async function findWarnings(
  { log }: Pick<Services, 'log'>,
  document: BookDocument,
): Promise<DraftWarning[]> {
  const links = textsOf(document)
    .flatMap(({ field, place, text }) =>
      [...new Set(parseMarkdown(text).flatMap(linksOf))].map((href) => ({ field, place, href })),
    )
    .filter(({ href }) => /^https?:/i.test(href))
    .slice(0, maxLinks)
  const checked = await Promise.all(
    links.map(async ({ field, place, href }) => {
      const fault = await findLinkFault(href)
      if (fault) log.debug({ href, fault }, 'a link of the book leads nowhere')
      return fault ? [{ field, says: `The link ${href} in ${place} ${fault}.` }] : []
    }),
  )
  return [
    ...pictureWarnings(document),
    ...wordWarnings(document),
    ...legalWarnings(document),
    ...checked.flat(),
  ]
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

function legalWarnings({ legal: { consent, pages } }: BookDocument): DraftWarning[] {
  if (!consent.is_asked || pages.terms.is_shown) return []
  const says = 'Buyers are asked for their consent, but no terms explain the right of withdrawal to them.'
  return [{ field: 'legal.pages.terms', says }]
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

function pictureWarnings({ cover, author }: BookDocument): DraftWarning[] {
  const warnings: DraftWarning[] = []
  if (!cover) warnings.push({ field: 'cover', says: 'There is no cover, so the page shows a drawn one.' })
  if (author.portrait && !author.portrait.alt)
    warnings.push({ field: 'author.portrait', says: 'The portrait has no description.' })
  return warnings
}

function wordWarnings({ blueprint, words, sections, text, quotes, questions }: BookDocument): DraftWarning[] {
  const isShown = (name: string) => sections.some((section) => section.name === name && section.is_shown)
  const taken = blueprint.parts.reduce((sum, { takes }) => sum + takes, 0)
  const warnings: DraftWarning[] = []
  if (isShown('blueprint') && taken !== words.length)
    warnings.push({
      field: 'blueprint.parts',
      says: `The parts of the blueprint take ${taken} words, and there are ${words.length}.`,
    })
  if (isShown('text') && !(text.title && text.text))
    warnings.push({ field: 'text', says: 'The section of your own text is shown, but not filled in.' })
  if (isShown('quotes') && quotes.length === 0)
    warnings.push({ field: 'quotes', says: 'The section of quotations is shown, but has none.' })
  if (isShown('questions') && questions.length === 0)
    warnings.push({ field: 'questions', says: 'The section of questions is shown, but has none.' })
  for (const [at, { permission }] of quotes.entries()) {
    if (!permission)
      warnings.push({ field: `quotes.${at}.permission`, says: 'Who allowed this quotation is not noted.' })
  }
  return warnings
}
