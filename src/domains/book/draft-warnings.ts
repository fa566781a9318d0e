// Warnings before publishing: links that lead nowhere, a missing picture, words without a place.
import { isRecord } from './published-book.ts'
import type { BookDocument, DraftWarning } from '#contract/book/book.ts'
import { isDeepStrictEqual } from 'node:util'
import { blanksInEnglish, isTemplateInEnglish } from '#content/legal-pages.ts'
import { sampleBook } from '#content/sample-book.ts'
import { linesInEnglish } from '#content/standard-lines.ts'
import { legalPageNames, type LegalPageName } from '#contract/book/legal.ts'
import type { CommerceShop } from './shop.ts'
import { findLinkFault } from './link-faults.ts'

export async function findWarnings(
  { log, bookReader }: Pick<CommerceShop, 'log' | 'bookReader'>,
  document: BookDocument,
): Promise<DraftWarning[]> {
  const links = await bookReader.findLinks(document)
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
    ...sampleWarnings(document),
    ...legalWarnings(document),
    ...englishWarnings(document),
    ...checked.flat(),
  ]
}

const sampleTexts = {
  subtitle: 'The subtitle',
  description: 'The description',
  'author.name': 'The author’s name',
  words: 'The list of chapters',
  'preview.chapters': 'The preview',
  'blueprint.lead': 'The introduction',
  'invitation.text': 'The invitation',
  'closing.line': 'The end of the page',
  'contact.lead': 'The contact section',
  'packing_slip.thanks': 'The packing slip',
}

/** The page of a book with its own title must not say of it what is true of the sample. */
function sampleWarnings(document: BookDocument): DraftWarning[] {
  if (document.title === sampleBook.title) return []
  return Object.entries(sampleTexts).flatMap(([field, name]) => {
    const own = fieldOf(document, field)
    const isTaken = own !== '' && isDeepStrictEqual(own, fieldOf(sampleBook, field))
    return isTaken ? [{ field, says: `${name} still has the words of the sample.` }] : []
  })
}

function fieldOf(document: BookDocument, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), document)
}

function legalWarnings({ legal: { consent, pages } }: BookDocument): DraftWarning[] {
  if (!consent.is_asked || pages.terms.is_shown) return []
  const says = 'Buyers are asked for their consent, but no terms explain the right of withdrawal to them.'
  return [{ field: 'legal.pages.terms', says }]
}

/** The shop's own texts that visitors would read in English, though the book is in another language. */
function englishWarnings(document: BookDocument): DraftWarning[] {
  const { consent, pages } = document.legal
  const warnings = legalPageNames
    .filter((name) => pages[name].is_shown)
    .flatMap((name) => {
      const reason = reasonForEnglish(document, name)
      const says = `The page “${pages[name].title}” ${reason}`
      return reason ? [{ field: `legal.pages.${name}.text`, says }] : []
    })
  if (consent.is_asked && isTemplateInEnglish(document, 'consent'))
    warnings.push({
      field: 'legal.consent.text',
      says: 'What buyers agree to stays English: its words are the template’s.',
    })
  const lines = linesInEnglish(document).map(({ field, text }) => ({
    field,
    says: `“${text}” stays English.`,
  }))
  return [...warnings, ...lines]
}

function reasonForEnglish(document: BookDocument, name: LegalPageName): string | undefined {
  if (isTemplateInEnglish(document, name)) return 'stays English: its words are the template’s.'
  const blanks = blanksInEnglish(document, name).map((blank) => `{${blank}}`)
  return blanks.length > 0 ? `is in English where the shop fills in ${blanks.join(', ')}.` : undefined
}

function pictureWarnings({ cover, author }: BookDocument): DraftWarning[] {
  const warnings: DraftWarning[] = []
  if (!cover) warnings.push({ field: 'cover', says: 'There is no cover, so the page shows a drawn one.' })
  if (author.portrait && !author.portrait.alt)
    warnings.push({ field: 'author.portrait', says: 'The portrait has no description.' })
  return warnings
}

function wordWarnings({ blueprint, words, sections, quotes }: BookDocument): DraftWarning[] {
  const isShown = (name: string) => sections.some((section) => section.name === name && section.is_shown)
  const taken = blueprint.parts.reduce((sum, { takes }) => sum + takes, 0)
  const warnings: DraftWarning[] = []
  if (isShown('blueprint') && blueprint.parts.length > 0 && taken !== words.length)
    warnings.push({
      field: 'blueprint.parts',
      says: `The parts of the introduction take ${taken} chapters, and there are ${words.length}.`,
    })
  for (const [at, { by, permission }] of quotes.entries()) {
    if (permission) continue
    const quotation = by ? `the quotation of ${by}` : `quotation ${at + 1}`
    warnings.push({ field: `quotes.${at}.permission`, says: `Who allowed ${quotation} is not noted.` })
  }
  return warnings
}
