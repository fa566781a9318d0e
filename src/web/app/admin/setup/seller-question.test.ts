import { expect, test } from 'vitest'
import { sampleBook } from '#content/sample-book.ts'
import type { BookSetup } from '#contract/setup/setup.ts'
import { countryLine, withCountry, withoutCountry } from './country-line.ts'
import { currencyOf, legalOf, sellerProblems, timeZoneOf, typedSeller } from './seller-question.tsx'

const setup = {
  step: 'formats',
  file: null,
  offers: [],
  currency: { code: 'usd', locked: null },
  time_zone: { name: 'UTC', is_chosen: false, variable: null },
} satisfies BookSetup

const book = { ...sampleBook, language: 'de', author: { ...sampleBook.author, name: 'Ada', email: null } }

test('the answer is written into the blanks of the legal pages, and read from there', () => {
  const typed = typedSeller(book, setup)
  expect(typed).toMatchObject({ seller: 'Ada', address: '', email: '', country: '', shownPages: [] })
  const answered = { ...typed, address: 'Am See 1\n1000 Wien', email: ' a@books.example ', country: 'AT' }
  const legal = legalOf(book, { ...answered, asksConsent: true, shownPages: ['imprint'] })
  expect(legal.blanks).toMatchObject({ seller: 'Ada', email: 'a@books.example', law: 'Österreich' })
  expect(legal.blanks.address).toBe('Am See 1\n1000 Wien\nÖsterreich')
  expect(legal.consent.is_asked).toBe(true)
  expect(Object.values(legal.pages).map(({ is_shown }) => is_shown)).toEqual([false, false, true])
  expect(typedSeller({ ...book, legal }, setup)).toMatchObject({ country: 'AT', shownPages: ['imprint'] })
  // An English name may have been typed on the Book page.
  const inEnglish = { ...legal, blanks: { ...legal.blanks, law: 'Austria' } }
  expect(typedSeller({ ...book, legal: inEnglish }, setup).country).toBe('AT')
})

test('a law that is none of a country stays, and a seller who was taken out does not come back', () => {
  const blanks = { ...book.legal.blanks, law: 'the law of the sea' }
  const legal = { ...book.legal, blanks }
  const typed = typedSeller({ ...book, legal }, setup)
  expect(typed).toMatchObject({ seller: '', country: '' })
  expect(legalOf({ ...book, legal }, typed)).toEqual(legal)
})

test('a page that is ticked needs its blanks, and none is needed without', () => {
  const typed = typedSeller(book, setup)
  expect(sellerProblems(book, typed)).toBeUndefined()
  expect(Object.keys(sellerProblems(book, { ...typed, shownPages: ['imprint'] }) ?? {})).toEqual([
    'legal.blanks.address',
    'legal.blanks.email',
  ])
  expect(sellerProblems(book, { ...typed, email: 'nobody' })).toHaveProperty(['legal.blanks.email'])
})

test('currency and time zone follow the country', () => {
  expect(['AT', 'GB', 'LI', 'HR', 'BG', 'HU', 'XX'].map(currencyOf)).toEqual([
    'eur',
    'gbp',
    'chf',
    'eur',
    'eur',
    undefined,
    undefined,
  ])
  expect(timeZoneOf('AT')).toBe('Europe/Vienna')
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone
  expect(timeZoneOf('US')).toBe(own)
})

test('the address ends with the country once, which follows the country that is chosen', () => {
  const wien = 'Am See 1\n1010 Wien'
  const inAustria = { country: 'AT', language: 'de' }
  expect(countryLine(wien, inAustria)).toBe('Österreich')
  const written = withCountry(`${wien}\n`, inAustria)
  expect(written).toBe(`${wien}\nÖsterreich`)
  expect(withCountry(written, inAustria)).toBe(written)
  expect(withCountry(withoutCountry(written, inAustria), { ...inAustria, country: 'CH' })).toBe(
    `${wien}\nSchweiz`,
  )
  for (const named of [`${wien}\nAustria`, `${wien}, ÖSTERREICH`, `Austria\n${wien}`])
    expect(withCountry(named, { ...inAustria, language: 'fr' })).toBe(named)
  expect(withoutCountry(`${wien}, Österreich`, inAustria)).toBe(`${wien}, Österreich`)
  expect(countryLine('1 rue de France\n75001 Paris', { country: 'FR', language: 'fr' })).toBe('France')
  expect(
    countryLine('1 Main Street\nAtlanta, GA 30301, USA', { country: 'US', language: 'en' }),
  ).toBeUndefined()
  expect(countryLine('1 Main Street', { country: 'US', language: '' })).toBe('United States')
  expect(countryLine(' ', inAustria)).toBeUndefined()
  expect(countryLine(wien, { country: '', language: 'de' })).toBeUndefined()
})
