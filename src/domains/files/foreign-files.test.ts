// Files as hands and shops leave them: EPUBs packed in other ways are accepted and packed anew, other files are named.
import { readFile, readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { strToU8, unzipSync, zipSync, type Zippable } from 'fflate'
import { afterAll, expect, test } from 'vitest'
import { makeEpub } from '#test/epub.ts'
import { openBookReader, outline } from '#test/read-books.ts'
import type { Problem } from '#platform/problem.ts'
import { expected } from '#test/books/expected.ts'

const books = await openBookReader()
afterAll(() => books[Symbol.asyncDispose]())

const source = await readFile(fileURLToPath(new URL('../../../test/books/pandoc-ruth.epub', import.meta.url)))
const { mimetype, ...files } = unzipSync(source)
const type = mimetype ?? new Uint8Array()
const inFolder = (folder: string) =>
  Object.fromEntries(Object.entries(files).map(([name, bytes]) => [folder + name, bytes]))

const packings: Record<string, Zippable> = {
  'mimetype is last': { ...files, mimetype: [type, { level: 0 }] },
  'mimetype is packed': { mimetype: [strToU8('application/epub+zip'.repeat(20)), { level: 9 }], ...files },
  'mimetype ends in a line break': { mimetype: [strToU8('application/epub+zip\n'), { level: 0 }], ...files },
  'mimetype is missing': files,
  'it is a zipped folder': { ...inFolder('Ruth/'), '__MACOSX/Ruth/._x': strToU8('x') },
  'the container is in lower case': Object.fromEntries(
    Object.entries(files).map(([name, bytes]) => [name.replace('META-INF/', 'meta-inf/'), bytes]),
  ),
}

test.each(Object.entries(packings))('an EPUB is accepted where %s, and packed anew', async (_, packing) => {
  const content = zipSync(packing, { level: 6 })
  const { book } = await books.readMade(content, 'ruth.epub')
  expect([book.title, book.chapters.length]).toEqual(['Ruth', 7])
  const { findings, repaired } = await books.repairMade(content)
  expect(findings).toEqual([expect.stringMatching(/packed anew\. Nothing in the book was changed\.$/)])
  expect(repaired?.subarray(30, 58).toString()).toBe('mimetypeapplication/epub+zip')
  const { mimetype: written, ...others } = unzipSync(repaired ?? new Uint8Array())
  expect(Buffer.from(written ?? []).toString()).toBe('application/epub+zip')
  expect(others).toEqual(files)
  // What was packed anew is right, and read as before.
  expect(await books.repairMade(repaired ?? new Uint8Array())).toEqual({ findings: [], repaired: undefined })
})

test('a well packed EPUB stays as it is', async () => {
  expect(await books.repairMade(source)).toEqual({ findings: [], repaired: undefined })
})

const says = async (content: Uint8Array) => {
  const outcome = await books.readMade(content, 'book.epub').catch((error: Problem) => error)
  return outcome instanceof Error ? outcome.message : 'read'
}

test('a wrong file is named, with what to do', async () => {
  const zip = (names: Zippable) => zipSync(names)
  const text = strToU8('x')
  const files: [Uint8Array, RegExp][] = [
    [zip({ '[Content_Types].xml': text, 'word/document.xml': text }), /a Word document.*LibreOffice/],
    [Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 and so on', 'latin1'), /a Word document/],
    [zip({ mimetype: strToU8('application/vnd.oasis.opendocument.text') }), /\(ODT\).*Export as EPUB/],
    [zip({ 'xl/workbook.xml': text }), /a table or a presentation/],
    [zip({ 'Index/Document.iwa': text }), /Apple Pages.*Export To → EPUB/],
    [zip({ 'chapter.txt': text }), /holds no EPUB/],
    [zip({ 'my/book.epub': text }), /a book inside.*unpack/],
    [Buffer.from('{\\rtf1 words}'), /Rich Text/],
    [Buffer.from('<!DOCTYPE html><html><body>words</body></html>'), /a web page/],
    [Buffer.from('Once upon a time'), /plain text/],
    [Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), /a picture/],
    [Buffer.from('CONT\u0002\0\0\0'), /a Kindle book/],
    [Buffer.from('<?xml version="1.0"?><FictionBook/>'), /FictionBook/],
    [Buffer.from('Rar!\x1a\x07', 'latin1'), /an archive/],
    [azw3(), /a Kindle book/],
  ]
  for (const [content, words] of files) {
    expect(await says(content)).toMatch(words)
    expect(await says(content)).toMatch(/^This is .*, not an ebook\. .*(upload|Please)/)
  }
  expect(await says(Buffer.from([0, 1, 2, 3, 0xfe]))).toMatch(/Please upload a PDF, EPUB, or MOBI file/)
  expect(await says(new Uint8Array())).toMatch(/Please upload a PDF, EPUB, or MOBI file/)
})

test('what only newer Kindles open is accepted under the name of a MOBI, and said', async () => {
  expect((await books.repairMade(azw3(), 'book.mobi')).findings).toEqual([
    expect.stringMatching(/^MOBI is an old format/),
    expect.stringMatching(/\(KF8\) alone/),
  ])
})

function azw3(): Buffer {
  const file = Buffer.alloc(500)
  file.write('BOOKMOBI', 60)
  file.writeUInt16BE(1, 76)
  file.writeUInt32BE(100, 78)
  file.write('MOBI', 116)
  file.writeUInt32BE(8, 136)
  return file
}

test('names that differ by folder, case or percent signs are found, and said', async () => {
  const opf = `<package><metadata><dc:title>B</dc:title><dc:language>en</dc:language></metadata><manifest>
    <item id="a" href="Text/First%20One.xhtml"/><item id="b" href="text/SECOND.xhtml"/><item id="c" href="lost/third.xhtml"/>
    </manifest><spine><itemref idref="a"/><itemref idref="b"/><itemref idref="c"/></spine></package>`
  const page = (title: string) => `<html><body><h1>${title}</h1><p>And so on.</p></body></html>`
  const made = makeEpub({
    'O/a.xhtml': undefined,
    'O/b.opf': opf,
    'O/Text/First%20One.xhtml': page('First'),
    'O/Text/second.xhtml': page('Second'),
    'O/Text/third.xhtml': page('Third'),
  })
  const { book } = await books.readMade(made)
  expect(book.chapters.map(({ title }) => title)).toEqual(['First', 'Second', 'Third'])
  expect((await books.repairMade(made)).findings).toEqual([
    expect.stringMatching(/names some of its files differently.*“Text\/First%20One\.xhtml”/),
  ])
})

test('an archive whose files overlap is not copied', async () => {
  const zip = Buffer.from(
    zipSync({ 'META-INF/container.xml': new Uint8Array(40_000), 'a.bin': new Uint8Array(9) }),
  )
  const record = zip.lastIndexOf('PK\u0001\u0002')
  zip.writeUInt32LE(zip.length * 2, record + 20)
  await expect(books.repairMade(zip)).rejects.toMatchObject({ code: expect.stringMatching(/^uploads\./) })
})

// Books by other programs (test/books/README.md): each is accepted as it is, and read as a person would read it.

const folder = fileURLToPath(new URL('../../../test/books/', import.meta.url))

/** What these programs do wrong, or the hand that zipped them. */
const findingsOf: Record<string, unknown[]> = {
  'hand-made-psalmy.epub': [
    expect.stringMatching(/packed anew/),
    expect.stringMatching(/names some of its files differently.*“text\/start\.xhtml”/),
  ],
  'html-to-epub-fables.epub': [expect.stringMatching(/^1 of the chapters .* not in its list of files/)],
}

test('every book of the folder has its expectation', async () => {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.epub'))
  expect(files.toSorted()).toEqual(Object.keys(expected).toSorted())
  expect(files.length).toBeGreaterThanOrEqual(25)
})

test.each(Object.entries(expected))('%s is accepted and read', async (name, meant) => {
  const read = await books.read(folder + name)
  const { book, cover } = read
  const { title, subtitle, authors, language, description } = book
  const first = book.firstChapter === null ? undefined : book.chapters[book.firstChapter]
  const begins = first?.markdown.startsWith(meant.begins ?? '') ? meant.begins : first?.markdown.slice(0, 80)
  expect({ title, subtitle, authors, language, description, chapters: outline(read) }).toEqual({
    subtitle: undefined,
    description: undefined,
    ...meant,
    begins: undefined,
    hasCover: undefined,
  })
  expect({ hasCover: cover !== undefined, begins: begins ?? null }).toEqual({
    hasCover: meant.hasCover ?? false,
    begins: meant.begins,
  })
  // What is read is whole words without the numbers and marks that stand around them.
  expect(first?.title ?? '').not.toMatch(/…$/)
  expect(await books.check(folder + name)).toEqual(findingsOf[name] ?? [])
})

test('a MOBI by another program is accepted, and its words are not read', async () => {
  const mobis = (await readdir(folder)).filter((name) => name.endsWith('.mobi'))
  expect(mobis).toHaveLength(3)
  for (const name of mobis) {
    expect(await books.check(folder + name)).toEqual([expect.stringMatching(/^MOBI is an old format/)])
    await expect(books.read(folder + name)).rejects.toMatchObject({ code: 'uploads.not_an_ebook' })
  }
})
