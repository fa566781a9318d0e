// What is read of EPUBs that are made for it: odd, broken, and such that cannot be read.
import { afterAll, expect, test } from 'vitest'
import { makeEpub } from '#test/epub.ts'
import { openBookReader, outline } from '#test/read-books.ts'
import type { Problem } from '#platform/problem.ts'

const books = await openBookReader()
afterAll(() => books[Symbol.asyncDispose]())
const readMade = (content: Uint8Array, name?: string) => books.readMade(content, name)

const page = (body: string) => `<html xmlns="http://www.w3.org/1999/xhtml"><body>${body}</body></html>`
const words = 'Once there was a man who had two sons, and this is what became of them. '.repeat(4)

/** An EPUB 2 without more than `pages`, in their order. */
function makeBook(pages: Record<string, string>, { guide = '', ncx = '', files = {} } = {}): Buffer {
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
    makeBook({
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
    makeBook(
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
  const made = await readMade(makeBook(pages, { guide, files: { 'O/cover.bin': png } }))
  expect(made.cover).toMatchObject({ length: png.length })
  expect(made.book.firstChapter).toBe(2)
})

test('what is broken is read as far as it goes', async () => {
  const made = await readMade(
    makeBook({
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
