import { expect, test } from 'vitest'
import { sampleBook } from '#content/sample-book.ts'
import { emptyParts } from './words-step.tsx'

test('a part is empty until something in it has words', () => {
  const author = { ...sampleBook.author, biography: '', portrait: null }
  const quotation = { text: ' ', by: '', source: '', permission: '' }
  const questions = [{ question: 'For whom is it?', answer: '' }]
  const book = { ...sampleBook, author, questions, quotes: [quotation] }
  expect(emptyParts(book)).toEqual(['author', 'questions', 'quotes'])
  const answered = [...questions, { question: 'How long is it?', answer: 'Ninety pages.' }]
  const quotes = [quotation, { ...quotation, text: 'I read it twice.' }]
  const preview = { chapters: [{ number: null, title: 'One', text: '' }], after: '' }
  expect(emptyParts({ ...sampleBook, questions: answered, quotes, preview })).toEqual(['author', 'preview'])
})
