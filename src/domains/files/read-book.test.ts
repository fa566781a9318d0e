// What is read of a book from its own file: of EPUBs by three programs, and of a PDF.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { openBookReader, outline } from '#test/read-books.ts'
import { makeEpub, makeBook, navPoint } from '#test/epub.ts'
import type { Problem } from '#platform/problem.ts'
import { isPartTitle, isNumber, isSameTitle } from './chapter-kinds.ts'

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
    findings: [expect.stringMatching(/^The shop takes no chapters to read and no cover from a PDF/)],
  })
  expect(book.contents.map(({ title }) => title)).toContain('Propitiation')
  expect(cover).toBeUndefined()
})

// What is read of EPUBs that are made for it: odd, broken, and such that cannot be read.

const readMade = (content: Uint8Array, name?: string) => books.readMade(content, name)

const page = (body: string) => `<html xmlns="http://www.w3.org/1999/xhtml"><body>${body}</body></html>`
const words = 'Once there was a man who had two sons, and this is what became of them. '.repeat(4)

/** An EPUB 2 without more than `pages`, in their order. */
function makePagedBook(pages: Record<string, string>, { guide = '', ncx = '', files = {} } = {}): Buffer {
  const names = Object.keys(pages)
  const items = names.map((name) => `<item id="${name}" href="${name}" media-type="application/xhtml+xml"/>`)
  return makeEpub({
    'O/a.xhtml': undefined,
    ...files,
    ...Object.fromEntries(names.map((name) => [`O/${name}`, page(pages[name]!)])),
    'O/toc.ncx': `<!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://www.daisy.org/z3986/2005/ncx-2005-1.dtd"><ncx><navMap>${ncx}</navMap></ncx>`,
    'O/b.opf': `<package><metadata><dc:title>The Sons</dc:title></metadata><manifest>${items.join('')}<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/></manifest><spine toc="ncx">${names.map((name) => `<itemref idref="${name}"/>`).join('')}</spine><guide>${guide}</guide></package>`,
  })
}
const point = (title: string, src: string, nested = '') =>
  `<navPoint><navLabel><text>${title}</text></navLabel><content src="${src}"/>${nested}</navPoint>`

test('front and back matter is recognised by its content', async () => {
  const made = await readMade(
    makePagedBook({
      'cover.xhtml': '<p><img src="c.png"/></p>',
      'title.xhtml': '<h1>The Sons</h1><p>By Nobody</p>',
      'rights.xhtml': '<p>Copyright © 2020 Nobody. All rights reserved.</p>',
      'list.xhtml': '<p><a href="one.xhtml">One</a></p><p><a href="two.xhtml">Two</a></p>',
      'part.xhtml': '<h1>Part One</h1>',
      'one.xhtml': `<h1>One</h1><p>${words}</p>`,
      'two.xhtml': `<p>2</p><h2>Two</h2><p>${words}</p>`,
      'me.xhtml': '<h2>About the Author</h2><p>He lives.</p>',
    }),
  )
  expect(outline(made)).toEqual([
    'front: The Sons',
    'front: ',
    'front: ',
    'part: Part One',
    'body: One',
    'body: Two',
    'back: About the Author',
  ])
  expect(made.book.firstChapter).toBe(4)
  expect(made.book.chapters[5]!.markdown).toBe(words.trim())
})

test('one page with all chapters is cut where the contents lead; a page without an entry continues', async () => {
  const made = await readMade(
    makePagedBook(
      {
        'all.xhtml': `<div><h1 id="book">The Sons</h1><h2><a id="i"></a>I</h2><p>${words}</p><div id="ii"><h2>II</h2><p>${words}</p></div></div>`,
        'more.xhtml': '<p>And more.</p>',
        'last.xhtml': `<h2>III</h2><p>${words}</p>`,
      },
      {
        ncx: point(
          'The Sons',
          'all.xhtml#book',
          point('I', 'all.xhtml#i') + point('II', 'all.xhtml#ii') + point('III', 'last.xhtml'),
        ),
      },
    ),
  )
  expect(outline(made)).toEqual(['front: The Sons', 'body: I', 'body: II', 'body: III'])
  expect(made.book.chapters[2]!.markdown).toBe(`${words.trim()}\n\nAnd more.`)
})

test('the guide’s cover page leads to the picture, and the guide to the beginning', async () => {
  const png = Buffer.from('\x89PNG\r\n\x1a\n and so on', 'latin1')
  const guide =
    '<reference type="cover" href="c.xhtml"/><reference type="text" href="two.xhtml"/><reference type="toc" href="x.xhtml"/>'
  const pages = {
    'c.xhtml': '<svg:svg><svg:image xlink:href="cover.bin"/></svg:svg>',
    'x.xhtml': `<p>${words}</p>`,
    'one.xhtml': `<h1>One</h1><p>${words}</p>`,
    'two.xhtml': `<h1>Two</h1><p>${words}</p>`,
  }
  const made = await readMade(makePagedBook(pages, { guide, files: { 'O/cover.bin': png } }))
  expect(made.cover).toMatchObject({ length: png.length })
  expect(made.book.firstChapter).toBe(2)
})

test('what is broken is read as far as it goes', async () => {
  const made = await readMade(
    makePagedBook({
      'a.xhtml': `<h1>A&nbsp;b<p>${words}<br>more & more<b>bold`,
      'deep.xhtml': '<div>'.repeat(200),
      'c.xhtml': `<h1>C</h1><table><tr><td>one</td><td>two</td></tr></table><p>${words}</p>`,
    }),
  )
  expect(made.book.findings).toEqual([
    expect.stringMatching(/looks like English/),
    expect.stringMatching(/^The page “O\/deep.xhtml” could not be read/),
  ])
  expect(made.book.chapters.map(({ markdown }) => markdown)).toEqual([
    expect.stringContaining('more & more**bold**'),
    `one two\n\n${words.trim()}`,
  ])
})

const refusalOf = (content: Uint8Array, name?: string) =>
  readMade(content, name).then(
    () => 'read',
    ({ code, message }: Problem) => `${code}: ${message}`,
  )

test('what cannot be read is refused in words that say what to do', async () => {
  const locked = `<encryption><EncryptedData><EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/></EncryptedData></encryption>`
  expect(await refusalOf(makeEpub({ 'META-INF/encryption.xml': locked }))).toMatch(
    /^uploads\.not_an_ebook: .*copy-protected.*without protection \(DRM\)\.$/,
  )
  expect(await refusalOf(makeEpub())).toMatch(/No text was found in this EPUB.*export the book again/)
  expect(await refusalOf(makeEpub({ 'O/b.opf': undefined }))).toMatch(/package document is missing.*export/)
  expect(await refusalOf(makeEpub().subarray(0, -30))).toMatch(/damaged/)
  expect(await refusalOf(Buffer.from('Hello'))).toMatch(/This is plain text.*export the book/i)
  expect(await refusalOf(Buffer.from('%PDF-1.7\nnothing'), 'x.pdf')).toMatch(/This PDF is damaged.*export/)
})

// What is left of a chapter's text: without what programs put around it, line by line where lines matter.

const sentence = 'Once there was a man who had two sons, and this is what became of them.'

async function textOf(body: string) {
  const pages = { 'a.xhtml': `<h1>Far</h1>${body}`, 'b.xhtml': '<h1>Near</h1>' }
  const ncx = navPoint('Far', 'a.xhtml') + navPoint('Near', 'b.xhtml')
  const { book } = await books.readMade(makeBook(pages, { ncx }))
  return book.chapters[0]?.markdown
}

test('a chapter’s list of its sections is no text', async () => {
  const list =
    '<dl class="toc"><dt><a href="#s1">1.1. Husks</a></dt><dt><a href="#s2">1.2. Swine</a></dt></dl>'
  const ending = `<p>${sentence}</p><h2 id="s1">Husks</h2><p>And so on.</p>`
  const expected = `${sentence}\n\n## Husks\n\nAnd so on.`
  expect(await textOf(`<div class="toc"><p><b>Table of Contents</b></p>${list}</div>${ending}`)).toBe(
    expected,
  )
  expect(await textOf(list.replace(' class="toc"', '') + ending)).toBe(expected)
  const links =
    '<ul><li><a href="#s1">Husks</a>, which the swine did eat</li><li><a href="#s2">Swine</a> of the citizen</li></ul>'
  expect(await textOf(links + ending)).toContain('- Husks, which')
})

test('numbers of paragraphs and references to notes are no text', async () => {
  const numbered = `<div><label class="ocn"><a href="#o5">5</a></label><p id="o5">${sentence}</p></div>`
  expect(await textOf(numbered)).toBe(sentence)
  expect(
    await textOf(`<p>A man<a href="#n1">[1]</a> had two sons.<a id="r" href="n.xhtml#n2">2</a></p>`),
  ).toBe('A man had two sons.')
  expect(
    await textOf(
      `<h2><a href="#toc">1</a></h2><p>${sentence}</p><h2><a href="#toc">2</a></h2><p>${sentence}</p>`,
    ),
  ).toBe(`${sentence}\n\n## 2\n\n${sentence}`)
})

test('preformatted lines stay lines', async () => {
  expect(await textOf('<pre>Arise,\nand go\n  to my father.\n</pre>')).toBe(
    'Arise,\\\nand go\\\nto my father.',
  )
})

test('a number before a title is known in many languages', () => {
  for (const number of [
    'Chapter Twenty-One',
    'Appendix A.',
    'Apéndice B.',
    'Erstes Kapitel',
    'Chapitre premier',
    'Глава первая',
    'Capítulo primero',
    'Κεφάλαιο δεύτερο',
    'الفصل الأول',
    'The First Chapter',
    '第十二章',
    '第 3 回',
    '제1장',
    '4장.',
    '부록 A.',
    'XIV',
  ])
    expect({ number, is: isNumber(number) }).toEqual({ number, is: true })
  expect(isSameTitle('Zweites Kapitel: Heimkehr', 'Heimkehr')).toBe(true)
  for (const title of ['I', 'I Go Home', 'Onewards', 'The Third Man', '1장난', 'Part of the Way', 'Six Days'])
    expect({ title, is: isNumber(title) }).toEqual({ title, is: title === 'I' })
})

test('parts are known in many languages', () => {
  const parts = [
    'PART ONE: Going',
    '3. Part II',
    'Book the First',
    'Часть первая',
    'Μέρος πρώτο',
    'الجزء الأول',
    'Zweiter Teil',
    'Erstes Buch',
    'Livre premier',
    'Première partie',
    'Parte seconda',
    'Część druga',
    '第一部',
    '第二卷 歸來',
    '제1부',
  ]
  for (const title of parts) expect({ title, is: isPartTitle(title) }).toEqual({ title, is: true })
  for (const title of ['Part of the Way', 'Book Learning', 'The Book of Ruth', 'Del', 'Частица'])
    expect({ title, is: isPartTitle(title) }).toEqual({ title, is: false })
})
