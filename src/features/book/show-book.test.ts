import { expect, test } from 'vitest'
import { sampleBook } from '#content/sample-book.ts'
import { bookDocument, bookDraft, sectionNames } from './contract/book.ts'
import { readDocument } from './published-book.ts'
import { showBook, showChapters } from './show-book.ts'

test('the sample is shown with its title in three parts, and its promises with the refund period', () => {
  const shown = showBook(sampleBook)
  expect(shown).toMatchObject({
    title: "Nine P's that Change Everything",
    title_parts: { before: '', product: "Nine P's", after: 'that Change Everything' },
    words_title: "The Nine P's",
    claims: { refund: '30-day money-back guarantee' },
    excerpt: { title: 'Before you begin' },
  })
  expect(shown.excerpt.blocks).toHaveLength(3)
  expect(showChapters(sampleBook).map(({ number, title }) => [number, title])).toEqual([
    [null, 'Before you begin'],
    [1, 'Propitiation'],
  ])
})

test('a title of its own has no parts, and no refund period promises nothing', () => {
  const shown = showBook({ ...sampleBook, title: 'The Long Road', refund_days: 0 })
  expect(shown.title_parts).toEqual({ before: 'The Long Road', product: '', after: '' })
  expect(shown.claims.refund).toBe('')
})

test('visitors do not get the permission of a quotation, and HTML is text', () => {
  const shown = showBook({
    ...sampleBook,
    quotes: [{ text: 'Good.', by: 'A', permission: 'a@example.com, 3 May' }],
    text: { title: 'T', text: '<script>alert(1)</script> [x](javascript:alert(1))' },
  })
  expect(JSON.stringify(shown)).not.toContain('3 May')
  expect(shown.text.blocks).toEqual([
    {
      kind: 'paragraph',
      spans: [{ text: '<script>alert(1)</script> [x](javascript:alert(1))' }],
    },
  ])
})

const invalid = {
  'a rating without a source': [{ rating: { stars: 4.9, source: '' } }, 'rating.source'],
  'an ISBN whose check digit does not fit': [
    { isbns: { ...sampleBook.isbns, digital: '978-3-16-148410-1' } },
    'isbns.digital',
  ],
  'two words': [{ words: sampleBook.words.slice(0, 2) }, 'words'],
  'no title': [{ title: '' }, 'title'],
  'a title with a place for a name, and no name': [{ product: '' }, 'product'],
  'no language': [{ language: 'no language at all' }, 'language'],
  'half an address': [{ author: { ...sampleBook.author, email: 'me@' } }, 'author.email'],
} as const

test.each(Object.entries(invalid))('%s is kept as a draft, and not published', (_, [change, path]) => {
  const document = { ...sampleBook, rating: null, ...change }
  expect(bookDraft.safeParse(document).error).toBeUndefined()
  const { error } = bookDocument.safeParse(document)
  expect(error?.issues.map((issue) => issue.path.join('.'))).toEqual([path])
})

test('a complete document is published', () => {
  const isbns = { ...sampleBook.isbns, digital: '978-3-16-148410-0' }
  expect(bookDocument.safeParse({ ...sampleBook, rating: null, isbns }).error).toBeUndefined()
})

test('a section that is not optional can be neither hidden nor moved', () => {
  const { sections } = sampleBook
  const hidden = sections.map(({ name }) => ({ name, is_shown: name !== 'purchase' }))
  const moved = sections.toReversed()
  for (const list of [hidden, moved, sections.slice(1)])
    expect(bookDraft.safeParse({ ...sampleBook, sections: list }).success).toBe(false)
})

test('a document of an older shop gets the missing fields, and one of a newer shop is read', () => {
  for (const key of Object.keys(sampleBook)) {
    const { [key]: _missing, ...stored } = Object(sampleBook)
    expect(readDocument(stored), key).toEqual(bookDraft.parse(sampleBook))
  }
  const { digital: _digital, ...claims } = sampleBook.claims
  const sections = [
    { name: 'podcast', is_shown: true },
    ...sampleBook.sections.filter(({ name }) => name !== 'quotes'),
  ]
  const read = readDocument({ ...sampleBook, claims, sections, podcast: 'x' })
  expect(read.claims.digital).toBe(sampleBook.claims.digital)
  expect(read.sections.map(({ name }) => name).toSorted()).toEqual([...sectionNames].toSorted())
})
