// What the pages and emails of a book are written in.
import { isOfPage, shownTexts } from './catalogue.ts'
import { findTranslation } from './languages/languages.ts'
import { standardWording, type Texts, type Wording } from './texts.ts'

type Book = { language: string; texts: Texts }

export function wordingOf({ language, texts: changed }: Book): Wording {
  const { locale, texts } = findTranslation(language) ?? standardWording
  return { ...standardWording, locale, texts: { ...texts, ...shownTexts(changed) } }
}

/** Emails' texts stay on the server. */
export function pageWordingOf(book: Book): Wording {
  const wording = wordingOf(book)
  const ofPages = Object.entries(wording.texts).filter(([key]) => isOfPage(key))
  return { ...wording, texts: Object.fromEntries(ofPages) }
}
