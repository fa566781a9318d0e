import { expect, test } from 'vitest'
import { sampleBook } from '#content/sample-book.ts'
import { emptyParts } from './words-step.tsx'

test('a part is empty until something in it has words', () => {
  const author = { ...sampleBook.author, biography: '', portrait: null }
  const quotation = { text: ' ', by: '', source: '', permission: '' }
  const book = { ...sampleBook, author, quotes: [quotation] }
  expect(emptyParts(book)).toEqual(['author', 'quotes'])
  const quotes = [quotation, { ...quotation, text: 'I read it twice.' }]
  const preview = { chapters: [{ number: null, title: 'One', text: '' }], after: '' }
  expect(emptyParts({ ...sampleBook, quotes, preview })).toEqual(['author', 'preview'])
})
