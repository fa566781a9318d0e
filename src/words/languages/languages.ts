// The languages of pages and emails beside English. To add one: docs/languages.md.
import { catalogue } from '../catalogue.ts'
import type { Texts } from '../texts.ts'
import de from './de.json' with { type: 'json' }
import ja from './ja.json' with { type: 'json' }
import pl from './pl.json' with { type: 'json' }

const byLanguage = new Map<string, Texts>(Object.entries({ de, ja, pl }))

/** Takes a language tag, as "de-AT"; a draft's may be any text. Undefined: the texts are in English. */
export function findTranslation(tag: string): { locale: string; texts: Texts } | undefined {
  const [language = '', region = ''] = tag.split('-')
  const texts = byLanguage.get(language.toLowerCase())
  const locale = /^[a-z]{2}$/i.test(region) ? `${language}-${region}` : language
  return texts && { locale, texts }
}

/** Returns the texts in this language where the author changes nothing. */
export function standardTextsOf(tag: string): ReadonlyMap<string, string> {
  const translated = findTranslation(tag)
  return translated ? new Map(Object.entries(translated.texts)) : catalogue
}
