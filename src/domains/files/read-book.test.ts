// What is read of a book from its own file: of EPUBs by three programs, and of a PDF.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { openBookReader, outline } from '#test/read-books.ts'

const books = await openBookReader()
afterAll(() => books[Symbol.asyncDispose]())
const { read } = books

const fixture = (name: string) => fileURLToPath(new URL(`../../../test/books/${name}`, import.meta.url))

test('a book by pandoc: EPUB 3 with a cover, a subtitle, a preface and poems', async () => {
  const { book, cover } = await read(fixture('songs-of-the-road.epub'))
  expect(book).toMatchObject({
    file_format: 'epub',
    title: 'Songs of the Road',
    subtitle: 'Five Psalms for Travellers',
    authors: ['David and others'],
    language: 'en-GB',
    description: expect.stringMatching(/^Five of the fifteen songs .* King James Version\.$/),
    publisher: 'The Test Shelf',
    isbn: '9783161484100',
    findings: [],
    firstChapter: 3,
  })
  expect(outline({ book, cover })).toEqual([
    'front: Songs of the Road: Five Psalms for Travellers',
    'front: Preface',
    'front: Copyright',
    'body: The Keeper',
    'body: The City',
    'body: The Escape',
    'body: The Harvest',
    'body: The House',
  ])
  expect(book.contents.slice(0, 4)).toEqual([
    { title: 'Preface', depth: 0, chapter: 1 },
    { title: 'Copyright', depth: 0, chapter: 2 },
    { title: 'The Keeper', depth: 0, chapter: 3 },
    { title: 'Psalm 121', depth: 1, chapter: 3 },
  ])
  expect(cover && Buffer.from(cover)).toEqual(await readFile(fixture('sources/cover.png')))
  const preface = book.chapters[1]!.markdown
  expect(preface).toMatch(/Version of 1611\. Each is headed \*A Song of degrees\*; .* \*\*on the road\*\*\.$/)
  expect(book.chapters[3]!.markdown).toBe(
    [
      '## Psalm 121',
      'I will lift up mine eyes unto the hills, from whence cometh my help.',
      'My help cometh from the LORD, which made heaven and earth.',
      'He will not suffer thy foot to be moved:\\\nhe that keepeth thee will not slumber.',
      'Behold, he that keepeth Israel shall neither slumber nor sleep.',
      'The LORD is thy keeper:\\\nthe LORD is thy shade upon thy right hand.',
      'The sun shall not smite thee by day, nor the moon by night.',
      'The LORD shall preserve thee from all evil:\\\nhe shall preserve thy soul.',
      'The LORD shall preserve thy going out and thy coming in from this time forth, and even for evermore.',
      '> The LORD is thy keeper.',
      'Read more at [the Gutenberg edition](https://www.gutenberg.org/ebooks/10), or go back.',
      '1. Look up.\n2. Set out.',
    ].join('\n\n'),
  )
})

test('a book by calibre: EPUB 2, whose one long text is divided among pages', async () => {
  const { book, cover } = await read(fixture('letter-to-the-philippians.epub'))
  expect(book).toMatchObject({
    title: 'The Letter to the Philippians',
    subtitle: 'Joy in Bonds',
    authors: ['Paul the Apostle', 'Timothy'],
    language: 'en',
    description: 'Written from prison, and full of joy.\n\nIn the words of the King James Version.',
    firstChapter: 1,
    findings: [],
  })
  expect(outline({ book, cover })).toEqual([
    'front: Dedication',
    'body: Chapter 1 Joy in Bonds',
    'body: Chapter 2 One Mind',
    'body: Chapter 3 The Prize',
    'body: Chapter 4 Rejoice Alway',
  ])
  expect(book.chapters[1]!.markdown).toMatch(/^1 Paul and Timotheus.*\n\n.*30 Having the same conflict/s)
  expect(cover).toBeUndefined()
})

test('a book by LibreOffice: in Russian, with emphasis by class', async () => {
  const { book, cover } = await read(fixture('v-nachale.epub'))
  expect(book).toMatchObject({ title: 'В начале', authors: ['Синодальный перевод'], firstChapter: 0 })
  expect(outline({ book, cover })).toEqual(['body: Бытие', 'body: Псалом 22', 'body: От Иоанна'])
  expect(book.chapters[0]!.markdown).toMatch(/^В начале сотворил Бог .* и было утро: \*день один\*\.$/)
  expect(book.chapters[2]!.markdown).toMatch(/\*\*И свет во тьме светит, и тьма не объяла его\.\*\*$/)
})

test('the sample begins at its first chapter, not at its title page or preface', async () => {
  const { book, cover } = await read(fileURLToPath(import.meta.resolve('#content/edition/sample.epub')))
  expect(book.chapters[book.firstChapter!]).toMatchObject({
    title: 'Propitiation',
    markdown: expect.stringMatching(/^> In this is love.*\n>\n> — 1 John 4:10\n\nIt is not a word/s),
  })
  expect(cover?.length).toBeGreaterThan(100_000)
})

test('a PDF says its title, language and pages, and what it cannot say', async () => {
  const { book, cover } = await read(fileURLToPath(import.meta.resolve('#content/edition/sample.pdf')))
  expect(book).toMatchObject({
    file_format: 'pdf',
    title: "Nine P's that Change Everything",
    authors: [],
    language: 'en',
    pages: 25,
    chapters: [],
    firstChapter: null,
    findings: [expect.stringMatching(/^A PDF does not say where its chapters begin/)],
  })
  expect(book.contents.map(({ title }) => title)).toContain('Propitiation')
  expect(cover).toBeUndefined()
})
