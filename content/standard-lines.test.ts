import { expect, test } from 'vitest'
import { legalDocument } from '#contract/book/legal.ts'
import { readyLanguages } from '#words/languages/languages.ts'
import { sampleBook } from './sample-book.ts'
import { legalPages } from './legal-pages.ts'
import { followLanguage, linesInEnglish, newLines } from './standard-lines.ts'

const ownBook = () => structuredClone({ ...sampleBook, legal: legalPages, ...newLines() })

test('standard lines follow the language of the book, and the author’s own stay', () => {
  const book = ownBook()
  book.claims.ships = 'I pay the postage'
  followLanguage(book, 'de-AT')
  expect(book).toMatchObject({
    language: 'de-AT',
    claims: { refund: '{days} Tage Geld-zurück-Garantie', ships: 'I pay the postage' },
    closing: { title: 'Bereit für die erste Seite?' },
    legal: { pages: { imprint: { title: 'Impressum' } } },
  })
  expect(book.legal.consent.text).toContain('Widerrufsrecht')
  book.legal.pages.imprint.title = 'Wer wir sind'
  followLanguage(book, 'fr')
  expect(book.claims.no_pdf).toBe('Téléchargement immédiat')
  followLanguage(book, 'en')
  const same = ownBook()
  same.claims.ships = 'I pay the postage'
  same.legal.pages.imprint.title = 'Wer wir sind'
  expect(book).toEqual(same)
})

test('each language that the shop has texts in has its own lines; in another one they are said to be English', () => {
  for (const language of readyLanguages) {
    const book = ownBook()
    followLanguage(book, language)
    expect([language, linesInEnglish(book)]).toEqual([language, []])
    const isInEnglish = book.legal.consent.text === legalPages.consent.text
    expect([language, isInEnglish]).toEqual([language, language === 'en'])
    // Its checks hold: no line is too long or empty.
    expect(
      legalDocument.safeParse({ ...book.legal, consent: { ...book.legal.consent, is_asked: true } }).error,
    ).toBe(undefined)
  }
  const book = ownBook()
  followLanguage(book, 'sv')
  expect(linesInEnglish(book).map(({ field }) => field)).toEqual([
    'claims.refund',
    'claims.ships',
    'claims.pdf',
    'claims.no_pdf',
    'closing.title',
  ])
})
