import { expect, test, vi } from 'vitest'
import { sampleBook } from '#content/sample-book.ts'
import { copyDocument, saveCopy } from './use-draft.ts'

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
