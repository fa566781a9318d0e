import { expect, test, vi } from 'vitest'
import { sampleBook } from '#content/sample-book.ts'
import { listChanges, describeProblems, fieldName, copyDocument, saveCopy } from './draft.ts'

test('short values are shown as they were and are, longer parts by their name', () => {
  expect(listChanges(sampleBook, sampleBook)).toEqual([])
  const draft = { ...sampleBook, refund_days: 14, words: sampleBook.words.slice(1) }
  expect(listChanges(sampleBook, draft)).toEqual([
    { name: 'Refund period', was: '30', is: '14' },
    { name: 'Chapters' },
  ])
})

test('a field is named as its part of the form is, with its place in a list', () => {
  expect(fieldName('description')).toBe('Description')
  expect(fieldName('author.name')).toBe('Name of the author')
  expect(fieldName('preview.chapters.1.title')).toBe('Preview 2, title')
  expect(fieldName('published_on')).toBe('Date of publication')
  expect(fieldName('isbns.paperback')).toBe('ISBN, paperback')
  expect(fieldName('legal.blanks.seller')).toBe('Legal pages, seller')
})

test('the first fields with problems are named, and how many more there are', () => {
  expect(describeProblems({ description: 'x' })).toBe('Please correct: Description.')
  const several = { description: 'x', 'author.name': 'x', title: 'x', language: 'x' }
  expect(describeProblems(several)).toBe(
    'Please correct: Description; Name of the author; Title; and 1 more.',
  )
})

test('a copy of a document is edited without the one before', () => {
  const copy = copyDocument(sampleBook)
  expect(copy).toEqual(sampleBook)
  copy.preview.chapters.push({ number: 9, title: 'Nine', text: '' })
  copy.contact.speaking.title = 'Mine'
  expect(sampleBook.preview.chapters).not.toHaveLength(copy.preview.chapters.length)
  expect(sampleBook.contact.speaking.title).not.toBe('Mine')
})

test('the copy for a crash stays when the browser has no room for a newer one', () => {
  const stored = new Map<string, string>()
  const store = {
    getItem: (key: string) => stored.get(key) ?? null,
    removeItem: (key: string) => void stored.delete(key),
    setItem(key: string, text: string) {
      if (text.length > 100_000) throw new DOMException('full', 'QuotaExceededError')
      stored.set(key, text)
    },
  }
  vi.stubGlobal('sessionStorage', store)
  vi.stubGlobal('localStorage', store)
  saveCopy({ revision: 1, document: sampleBook })
  const before = [...stored]
  expect(before).toHaveLength(1)
  saveCopy({ revision: 1, document: { ...sampleBook, description: 'x'.repeat(200_000) } })
  expect([...stored]).toEqual(before)
  vi.unstubAllGlobals()
})
