import { expect, test } from 'vitest'
import { sampleBook } from '#content/sample-book.ts'
import { listChanges } from './changes.ts'

test('short values are shown as they were and are, longer parts by their name', () => {
  expect(listChanges(sampleBook, sampleBook)).toEqual([])
  const draft = { ...sampleBook, refund_days: 14, words: sampleBook.words.slice(1) }
  expect(listChanges(sampleBook, draft)).toEqual([
    { name: 'Refund period', was: '30', is: '14' },
    { name: 'Chapters' },
  ])
})
