// The languages of pages and emails beside English: each is a file that is loaded where it is used. To add one:
// docs/languages.md.
import { standardWording, type Texts } from '../texts.ts'

type Load = () => Promise<{ default: Texts }>

const files = {
  de: () => import('./de.json', { with: { type: 'json' } }),
  es: () => import('./es.json', { with: { type: 'json' } }),
  fr: () => import('./fr.json', { with: { type: 'json' } }),
  it: () => import('./it.json', { with: { type: 'json' } }),
  ja: () => import('./ja.json', { with: { type: 'json' } }),
  nl: () => import('./nl.json', { with: { type: 'json' } }),
  pl: () => import('./pl.json', { with: { type: 'json' } }),
  pt: () => import('./pt.json', { with: { type: 'json' } }),
} satisfies Record<string, Load>

const byLanguage = new Map<string, Load>(Object.entries(files))

export const readyLanguages: readonly string[] = ['en', ...byLanguage.keys()]

const languageOf = (tag: string) => tag.split('-', 1)[0]?.toLowerCase() ?? ''

/** Tells whether the shop has its texts in the language of a tag, as "de-AT"; a draft's may be any text. */
export const hasTexts = (tag: string) => readyLanguages.includes(languageOf(tag))

/** Dates and prices stand in sentences, so they are in the language of the texts, in the form of the tag's region. */
export function localeOf(tag: string): string {
  const language = hasTexts(tag) ? languageOf(tag) : 'en'
  const [, region] = /^[a-z]{2,3}(?:-[a-z]{4})?-([a-z]{2}|\d{3})(?:-|$)/i.exec(tag) ?? []
  if (region) return `${language}-${region.toUpperCase()}`
  return language === 'en' ? standardWording.locale : language
}

/** Returns none for English, and for a language without texts. */
export async function loadTranslation(tag: string): Promise<Texts> {
  const load = byLanguage.get(languageOf(tag))
  return load ? (await load()).default : {}
}
