// Translations: the compiler checks that none has a text too few or too many; here is checked what stands in them.
import { expect, test } from 'vitest'
import { catalogue, flatten, maxLengthOf, placeholdersOf, standardOf } from '../catalogue.ts'
import { homeTexts } from '../home.ts'
import { forCount, standardWording } from '../texts.ts'
import { withTexts } from '../with-texts.ts'
import { wordingOf } from '../wording.ts'
import { findTranslation, translations } from './languages.ts'

const texts = Object.entries(translations).flatMap(([language, all]) =>
  flatten(all).map(([key, text]) => ({ language, key, text })),
)

test('each translation says what the standard text says: the same placeholders, each once, and no markup', () => {
  for (const { language, key, text } of texts) {
    const standard = standardOf(key) ?? ''
    const place = `${language} ${key}`
    expect(text.trim(), place).not.toBe('')
    // A form for one thing may have its number in words.
    const isForm = !catalogue.has(key)
    const needed = placeholdersOf(standard).toSorted()
    const found = placeholdersOf(text).toSorted()
    if (isForm) expect(needed, place).toEqual(expect.arrayContaining(found))
    else expect(found, place).toEqual(needed)
    expect(text.length, place).toBeLessThanOrEqual(maxLengthOf(standard))
    // A list has the separators of its language.
    if (!/^\s|\s$/.test(standard)) expect(text, place).toBe(text.trim())
  }
})

test('each translation has the forms of its language for numbers', () => {
  const plurals = [...catalogue.keys()].filter((key) => key.endsWith('.other')).map((key) => key.slice(0, -6))
  for (const [language, all] of Object.entries(translations)) {
    const keys = new Set(flatten(all).map(([key]) => key))
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
    for (const plural of plurals) {
      const forms = pluralCategories.filter((form) => keys.has(`${plural}.${form}`))
      // Where all forms are equal, one is enough.
      if (forms.length > 1)
        expect(forms.toSorted(), `${language} ${plural}`).toEqual(pluralCategories.toSorted())
      expect(keys, `${language} ${plural}`).toContain(`${plural}.other`)
    }
  }
})

test('a book has the texts of its language, and the author’s where they are changed', () => {
  expect(findTranslation('xx')).toBeUndefined()
  expect(findTranslation('')).toBeUndefined()
  expect(wordingOf({ language: 'en-GB', texts: {} })).toEqual(standardWording)
  const texts = { 'home.moreChapters.few': 'jeszcze {count} rozdziały' }
  withTexts({ ...standardWording, locale: 'pl', texts }, () => {
    expect([3, 5].map((count) => forCount(homeTexts.moreChapters, count))).toEqual([
      texts['home.moreChapters.few'],
      'and {count} more',
    ])
  })
})
