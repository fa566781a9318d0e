import { expect, test } from 'vitest'
import { filledLegal } from '#test/legal.ts'
import { sampleBook } from '#content/sample-book.ts'
import { sectionNames } from '#contract/book/book.ts'
import { bookDocument, bookDraft } from '#contract/book/checked-book.ts'
import { previewOf, showBook, showChapters, showWholeBook } from './show-book.ts'
import { readDocument } from './published-book.ts'

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

const withAll = (is_shown: boolean) => sampleBook.sections.map(({ name }) => ({ name, is_shown }))

test('what the author has switched off, and what only the author prints, is in no page’s data', () => {
  const secret = 'not for visitors'
  const document = {
    ...sampleBook,
    invitation: { title: secret, text: secret },
    words_title: secret,
    words: [{ word: secret, line: secret }],
    blueprint: {
      title: secret,
      lead: secret,
      text: secret,
      parts: [{ takes: 1, title: secret, line: secret }],
    },
    text: { title: secret, text: secret },
    quotes: [{ text: secret, by: secret, permission: secret }],
    questions: [{ question: secret, answer: secret }],
    contact: {
      ...sampleBook.contact,
      speaking: { is_shown: false, title: secret, line: secret, subject: secret },
    },
    packing_slip: { thanks: secret, questions: secret },
    legal: filledLegal(),
  }
  document.legal.pages.terms = { is_shown: false, title: secret, text: secret }
  document.legal.consent = { is_asked: false, text: secret }
  const hidden = showWholeBook(
    { ...document, sections: withAll(false) },
    { hasWithdrawal: true, lettersProgram: null, givesExcerpt: false, digitalSeller: 'author' },
  )
  expect(JSON.stringify(hidden)).not.toContain(secret)
  const shown = showBook({ ...document, sections: withAll(true) })
  expect([
    shown.blueprint.title,
    shown.text.title,
    shown.quotes[0]?.by,
    shown.questions[0]?.question,
  ]).toEqual([secret, secret, secret, secret])
})

test('a long chapter has a preview that ends behind a paragraph, or a word where it is one paragraph', () => {
  const words = 'and so it was '.repeat(20_000)
  const { text } = previewOf({ title: 'One', markdown: words })
  expect(text.length).toBeGreaterThan(199_000)
  expect(words.startsWith(text)).toBe(true)
  expect(text).toMatch(/(and|so|it|was)$/)
  const paragraphs = `${'x'.repeat(1999)}\n\n`.repeat(150)
  expect(previewOf({ title: 'Two', markdown: paragraphs }).text).toMatch(/x$/)
  const heading = `# One\n\n${words}`
  expect(previewOf({ title: 'Three', markdown: heading }).text.length).toBeGreaterThan(199_000)
  const signs = `a${'😀'.repeat(150_000)}`
  expect(previewOf({ title: 'Four', markdown: signs }).text).toMatch(/^a😀{99999}$/u)
})

test('visitors do not get the permission of a quotation, and HTML is text', () => {
  const shown = showBook({
    ...sampleBook,
    sections: withAll(true),
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
  'a word without a name': [{ words: [{ word: '', line: '' }] }, 'words.0.word'],
  'no title': [{ title: '' }, 'title'],
  'a title with a place for a name, and no name': [{ product: '' }, 'product'],
  'no language': [{ language: 'no language at all' }, 'language'],
  'a date that is none': [{ published_on: '2026-13-01' }, 'published_on'],
  'a date in words': [{ published_on: '12 mars 2026' }, 'published_on'],
  'a day that the calendar lacks': [{ published_on: '2026-02-30' }, 'published_on'],
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

test('every section can be moved; the products and the contact form cannot be hidden, and none stands twice', () => {
  const { sections } = sampleBook
  const hide = (hidden: string) => sections.map(({ name }) => ({ name, is_shown: name !== hidden }))
  const isTaken = (list: typeof sections) => bookDraft.safeParse({ ...sampleBook, sections: list }).success
  for (const list of [sections.toReversed(), hide('preview'), hide('words'), hide('invitation')])
    expect(isTaken(list)).toBe(true)
  const twice = sections.map((section, at) => (at === 0 ? { ...section, name: 'text' as const } : section))
  for (const list of [hide('purchase'), hide('contact'), twice, sections.slice(1)])
    expect(isTaken(list)).toBe(false)
})

test('an empty section is not shown; one with a text is, in the order that the author chose', () => {
  const nothing = readDocument({ title: 'T', sections: withAll(true) })
  const shownIn = (document: typeof nothing) =>
    showBook(document).sections.flatMap(({ name, is_shown }) => (is_shown ? [name] : []))
  expect(shownIn(nothing)).toEqual(['purchase', 'contact'])
  const sections = withAll(true).toReversed()
  const filled = { ...nothing, sections, text: { title: '', text: 'Mine' }, blueprint: sampleBook.blueprint }
  expect(shownIn(filled)).toEqual(['contact', 'purchase', 'text', 'blueprint'])
})

test('a page that was published by an older shop keeps its sections and their order', () => {
  const { reply_time: _promise, ...contact } = sampleBook.contact
  const names = [
    'blueprint',
    'preview',
    'words',
    'text',
    'invitation',
    'questions',
    'purchase',
    'contact',
    'quotes',
  ]
  const sections = names.map((name) => ({ name, is_shown: name !== 'quotes' && name !== 'questions' }))
  const text = { title: 'Mine', text: 'Words' }
  const read = readDocument({ ...sampleBook, contact, text, sections })
  expect(showBook(read)).toEqual({
    ...showBook({ ...sampleBook, text, sections: read.sections }),
    contact: { ...contact, reply_time: '' },
  })
  expect(showBook(read).sections).toEqual([...sections, { name: 'author', is_shown: false }])
})

test('a quotation has its source behind the name, also where an older shop stored one without it', () => {
  const quote = { text: 'Good.', by: 'Ruth', permission: '' }
  const quotes = [{ ...quote, source: 'The Gleaner' }, { ...quote, source: '' }, quote]
  const read = readDocument({ ...sampleBook, quotes, sections: withAll(true) })
  expect(showBook(read).quotes.map(({ by }) => by)).toEqual(['Ruth, The Gleaner', 'Ruth', 'Ruth'])
})

test('a chapter of the contents leads to the preview where that has it and is shown', () => {
  const document = {
    ...sampleBook,
    words: ['Before  you begin', 'PRAISE', 'propitiation'].map((word) => ({ word, line: '' })),
  }
  const placesIn = (each: typeof document) => showBook(each).words.map(({ chapter }) => chapter)
  expect(placesIn(document)).toEqual([0, undefined, 1])
  const sections = document.sections.map(({ name, is_shown }) => ({
    name,
    is_shown: is_shown && name !== 'preview',
  }))
  expect(placesIn({ ...document, sections })).toEqual([undefined, undefined, undefined])
})

const structure = new Set(['looks', 'language', 'sections'])

test('what a document of an older shop lacks is empty or hidden, never the sample’s', () => {
  for (const key of Object.keys(sampleBook)) {
    const { [key]: missing, ...stored } = Object(sampleBook)
    const { [key]: found, ...rest } = Object(readDocument(stored))
    expect(rest, key).toEqual(stored)
    if (structure.has(key)) expect(found, key).toEqual(missing)
    else expect(textsOf(found), key).toEqual([])
    expect(() => showBook(readDocument(stored)), key).not.toThrow()
  }
  const { speaking: _speaking, ...contact } = sampleBook.contact
  const read = readDocument({ ...sampleBook, contact })
  expect(read.contact).toEqual({
    ...contact,
    speaking: { is_shown: false, title: '', line: '', subject: '' },
  })
})

/** All that is said, shown or promised somewhere in it. */
function textsOf(value: unknown): unknown[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsOf)
  return value === null || value === '' || value === false || value === 0 ? [] : [value]
}

test('a document of a newer shop is read', () => {
  const { digital: _digital, ...claims } = sampleBook.claims
  const sections = [
    { name: 'podcast', is_shown: true },
    ...sampleBook.sections.filter(({ name }) => name !== 'quotes'),
  ]
  const read = readDocument({ ...sampleBook, claims, sections, podcast: 'x' })
  expect(read.claims).toEqual({ ...claims, digital: '' })
  expect(read.sections.map(({ name }) => name).toSorted()).toEqual([...sectionNames].toSorted())
})
