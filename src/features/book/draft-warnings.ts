// Warnings before publishing: links that lead nowhere, a missing picture, words without a place.
import type { Services } from '../../services.ts'
import type { WithBookReader } from './book-reader.ts'
import type { BookDocument } from './contract/book.ts'
import type { DraftWarning } from './contract/drafts.ts'
import { findLinkFault } from './draft-links.ts'

export async function findWarnings(
  { log, bookReader }: Pick<Services, 'log'> & WithBookReader,
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
    ...legalWarnings(document),
    ...checked.flat(),
  ]
}

function legalWarnings({ legal: { consent, pages } }: BookDocument): DraftWarning[] {
  if (!consent.is_asked || pages.terms.is_shown) return []
  const says = 'Buyers are asked for their consent, but no terms explain the right of withdrawal to them.'
  return [{ field: 'legal.pages.terms', says }]
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
      says: `The parts of the blueprint take ${taken} words, and there are ${words.length}.`,
    })
  for (const [at, { permission }] of quotes.entries()) {
    if (!permission)
      warnings.push({ field: `quotes.${at}.permission`, says: 'Who allowed this quotation is not noted.' })
  }
  return warnings
}
