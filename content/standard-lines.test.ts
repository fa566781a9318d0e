import { expect, test } from 'vitest'
import { readyLanguages } from '#words/languages/languages.ts'
import { sampleBook } from './sample-book.ts'
import { followLanguage, linesIn, linesInEnglish } from './standard-lines.ts'

function ownBook() {
  const { closing, ...claims } = linesIn('en')
  return structuredClone({
    ...sampleBook,
    claims: { ...sampleBook.claims, ...claims },
    closing: { title: closing, line: '' },
  })
}

test('standard lines follow the language of the book, and the author’s own stay', () => {
  const book = ownBook()
  book.claims.ships = 'I pay the postage'
  followLanguage(book, 'de-AT')
  expect(book).toMatchObject({
    language: 'de-AT',
    claims: { refund: '{days} Tage Geld-zurück-Garantie', ships: 'I pay the postage' },
    closing: { title: 'Bereit für die erste Seite?' },
  })
  followLanguage(book, 'fr')
  expect(book.claims.no_pdf).toBe('Téléchargement immédiat')
  followLanguage(book, 'en')
  expect(book).toEqual({ ...ownBook(), claims: { ...ownBook().claims, ships: 'I pay the postage' } })
})

test('each language that the shop has texts in has its own lines; in another one they are said to be English', () => {
  for (const language of readyLanguages) {
    const book = ownBook()
    followLanguage(book, language)
    expect([language, linesInEnglish(book)]).toEqual([language, []])
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
