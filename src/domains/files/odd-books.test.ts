// What stands in odd places of other people's books: titles, names, covers, renditions and document types.
import { afterAll, expect, test } from 'vitest'
import { makeBook, makeEpub } from '#test/epub.ts'
import { paint } from '#test/pictures.ts'
import { openBookReader, outline } from '#test/read-books.ts'
import { namesOf } from './metadata.ts'
import { findKind } from './chapter-kinds.ts'
import { isPicture } from './epub.ts'
import { writtenTitle } from './chapter-text.ts'

const books = await openBookReader()
afterAll(() => books[Symbol.asyncDispose]())

const words = 'Once there was a man who had two sons, and this is what became of them. '.repeat(4)
const page = (title: string, text = words) => `<h1>${title}</h1><p>${text}</p>`
const english = '<dc:title>The Sons</dc:title><dc:language>en</dc:language>'

test('a picture of a few pixels is no cover, whatever its format', async () => {
  const small = paint({ width: 16, height: 24 })
  const large = paint({ width: 60, height: 90 })
  for (const picture of [small, large]) {
    const encoded = [
      picture.clone().png(),
      picture.clone().jpeg(),
      picture.clone().jpeg({ progressive: true }),
      picture.clone().webp(),
      picture.clone().webp({ lossless: true }),
      picture.clone().ensureAlpha(0.5).webp(),
    ]
    for (const each of encoded) expect(isPicture(await each.toBuffer())).toBe(picture === large)
  }
  const opf = (cover: string) =>
    `<package><metadata>${english}<meta name="cover" content="${cover}"/></metadata><manifest><item id="dot" href="dot.png" media-type="image/png"/><item id="x" href="front-cover.png" media-type="image/png"/><item id="a" href="a.xhtml"/></manifest><spine><itemref idref="a"/></spine></package>`
  const files = {
    'O/a.xhtml': page('Far'),
    'O/b.opf': opf('dot'),
    'O/dot.png': await paint({ width: 1, height: 1 }).png().toBuffer(),
  }
  expect((await books.readMade(makeEpub(files))).cover).toBeUndefined()
  const front = await large.clone().png().toBuffer()
  const { cover } = await books.readMade(makeEpub({ ...files, 'O/front-cover.png': front }))
  expect(cover).toMatchObject({ length: front.length })
})

test('a cover that is a drawing is left out, and the author is told', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 900"><text>The Sons</text></svg>'
  const said = /cover in this EPUB is a drawing \(SVG\).*JPEG, PNG or WebP/
  const opf = (item: string, spine = '<itemref idref="a"/>') =>
    `<package><metadata>${english}</metadata><manifest>${item}<item id="a" href="a.xhtml"/></manifest><spine>${spine}</spine></package>`
  const item = '<item id="c" href="c.svg" properties="cover-image" media-type="image/svg+xml"/>'
  const files = { 'O/a.xhtml': page('Far'), 'O/c.svg': svg }
  const declared = await books.readMade(makeEpub({ ...files, 'O/b.opf': opf(item) }))
  expect(declared.cover).toBeUndefined()
  expect(declared.book.findings).toEqual([expect.stringMatching(said)])
  const inSpine = opf(
    item.replace(' properties="cover-image"', ''),
    '<itemref idref="c"/><itemref idref="a"/>',
  )
  const first = await books.readMade(makeEpub({ ...files, 'O/b.opf': inSpine }))
  expect(first.book.findings).toEqual([expect.stringMatching(said)])
  const drawnPage = makeBook({ 'cover.xhtml': `<div>${svg}</div>`, 'b.xhtml': page('Far') })
  expect((await books.readMade(drawnPage)).book.findings).toContainEqual(expect.stringMatching(said))
  const png = await paint({ width: 60, height: 90 }).png().toBuffer()
  const beside = makeEpub({
    ...files,
    'O/b.opf': opf(`${item}<item id="p" href="cover.png" media-type="image/png"/>`),
    'O/cover.png': png,
  })
  const painted = await books.readMade(beside)
  expect(painted.cover).toMatchObject({ length: png.length })
  expect(painted.book.findings).toEqual([])
})

test('a title like the name of a folder gives way to the first heading that has its words', async () => {
  const titleOf = async (name: string, heading: string) => {
    const metadata = `<dc:title>${name}</dc:title><dc:language>en</dc:language>`
    return (await books.readMade(makeBook({ 'a.xhtml': page(heading, words.repeat(4)) }, { metadata }))).book
      .title
  }
  expect(await titleOf('elders-companion', 'The Galilean Elder’s Companion')).toBe(
    'The Galilean Elder’s Companion',
  )
  expect(await titleOf('elders-companion', 'The Elder’s Handbook')).toBe('elders-companion')
  // Whole words, not letters of others.
  expect(await titleOf('on-art', 'Companions of Martha')).toBe('on-art')
  expect(await titleOf('The Elders-Companion', 'The Galilean Elder’s Companion')).toBe('The Elders-Companion')
})

test('blank lines of a plain description divide its paragraphs, and single breaks do not', async () => {
  const metadata = `${english}<dc:description>\n  Of two sons,\n  and a father.\n\n  Of a road.\r\n \r\n Of home.\n</dc:description>`
  const { book } = await books.readMade(makeBook({ 'a.xhtml': page('Far') }, { metadata }))
  expect(book.description).toBe('Of two sons, and a father.\n\nOf a road.\n\nOf home.')
})

test('several names in one field are several authors, and names of one author stay whole', () => {
  const names = (text: string) => namesOf([{ text }])
  const two = ['Jane Smith', 'John Doe']
  for (const word of ['and', '&', 'und', 'et', 'y', 'e', 'i'])
    expect(names(`${two[0]} ${word} ${two[1]}`)).toEqual(two)
  expect(names('Smith, Jane and Doe, John')).toEqual(two)
  expect(names('Smith, Jane; Doe, John')).toEqual(two)
  expect(names('Jane Smith, John Doe, and Ann Lee')).toEqual([...two, 'Ann Lee'])
  expect(names('Smith, J., Doe, J. K.')).toEqual(['J. Smith', 'J. K. Doe'])
  expect(names('Goethe, Johann Wolfgang von')).toEqual(['Johann Wolfgang von Goethe'])
  expect(names('García Márquez, Gabriel')).toEqual(['Gabriel García Márquez'])
  expect(names('Ann, Ben & Cleo')).toEqual(['Ann', 'Ben', 'Cleo'])
  for (const one of ['José Ortega y Gasset', 'Ann and Ben Smith', 'David and others', 'Smith and Sons'])
    expect(names(one)).toEqual([one])
  expect(names('Ministry of Health and Social Care')).toHaveLength(1)
})

test('whoever illustrated or translated a book is not its author', () => {
  expect(
    namesOf([
      { text: 'Jane Smith', role: 'http://id.loc.gov/vocabulary/relators/aut' },
      { text: 'Ann Lee', role: 'ill' },
    ]),
  ).toEqual(['Jane Smith'])
  const texts = ['Jane Smith', 'Ann Lee (Illustrator)', 'Karl Weber, Übersetzer', 'Translated by Ben Doe']
  expect(namesOf(texts.map((text) => ({ text })))).toEqual(['Jane Smith'])
})

test('a file’s name, and what a program writes of its own, is no title', async () => {
  const none = [
    'Microsoft Word - draft3.docx',
    'final_v2.indd',
    'my-book-2nd.epub',
    'Sons (1).docx',
    'Untitled-1',
    'Dokument1',
    String.raw`C:\Users\jane\sons.doc`,
    'my%20book',
    '9781234567897',
    'book-interior-final',
  ]
  for (const name of none) expect(writtenTitle(name), name).toBeUndefined()
  for (const title of ['Catch-22', '1984', 'AC/DC', 'The Final Draft', 'Draft No. 4', 'E-Mail', '11/22/63'])
    expect(writtenTitle(title)).toBe(title)
  const made = makeBook(
    {
      'c.xhtml': page('Copyright', 'All rights reserved.'),
      't.xhtml': page('The Sons', 'Jane Smith'),
      'a.xhtml': page('Far'),
    },
    { metadata: '<dc:title>my-book-2nd.epub</dc:title><dc:language>en</dc:language>' },
  )
  expect((await books.readMade(made)).book.title).toBe('The Sons')
  const nameless = makeBook(
    { 'a.xhtml': page('Chapter 1'), 'b.xhtml': page('Chapter 2') },
    { metadata: '<dc:title>my-book-2nd.epub</dc:title><dc:language>en</dc:language>' },
  )
  expect((await books.readMade(nameless)).book.title).toBeUndefined()
})

test('front matter is known in brackets and beside other front matter, and a title page by what it holds', () => {
  const about = { title: 'The Two Sons', subtitle: '', authors: ['Jane Smith'] }
  const kindOf = (title: string, text = '') =>
    findKind({ title, types: [], hints: [], text, linkShare: 0 }, about) ?? 'body'
  for (const title of [
    '[Epigraph]',
    '(Dedication)',
    '— Contents —',
    '„Motto“',
    '【目次】',
    'Title Page & Copyright',
  ])
    expect(kindOf(title), title).toBe('front')
  expect(kindOf('[About the Author]')).toBe('back')
  expect(kindOf('[Part One]')).toBe('part')
  for (const title of ['[Far]', 'Love and Dedication', 'Note to Self'])
    expect(kindOf(title), title).toBe('body')
  expect(kindOf('A Novel', 'A Novel The Two Sons Jane Smith Big Press')).toBe('front')
  expect(kindOf('Jane Smith', 'Jane Smith The Two Sons')).toBe('front')
  expect(kindOf('Chapter 1', 'Chapter 1 Jane Smith tells of The Two Sons.')).toBe('body')
})

test('the reading of a character is no part of a title, and lines below each other stay apart', async () => {
  const made = await books.readMade(
    makeBook(
      {
        'a.xhtml': page('<ruby>静<rp>(</rp><rt>しず</rt><rp>)</rp></ruby>かな<ruby>川<rt>かわ</rt></ruby>'),
        'b.xhtml': page('<span>Chapter 1</span><span>The River</span>'),
        'c.xhtml': page('<span class="line">THE FAR</span><span class="line">COUNTRY</span>'),
        'd.xhtml': page('<span class="first">O</span><span>nce</span> M<b>ac</b>Duff'),
        'e.xhtml': page('<div>Of the</div><div>Feast</div>'),
      },
      {
        metadata: english,
        nav: '<nav epub:type="toc"><ol><li><a href="a.xhtml"><ruby>静<rt>しず</rt></ruby>かな<ruby>川<rt>かわ</rt></ruby></a></li><li><a href="b.xhtml"><span>Chapter 1</span><span>The River</span></a></li></ol></nav>',
        files: {
          'O/b.opf': undefined,
          'O/c.opf': `<package><metadata>${english}</metadata><manifest>${['a', 'b', 'c', 'd', 'e'].map((id) => `<item id="${id}" href="${id}.xhtml" media-type="application/xhtml+xml"/>`).join('')}<item id="css" href="s.css" media-type="text/css"/></manifest><spine>${['a', 'b', 'c', 'd', 'e'].map((id) => `<itemref idref="${id}"/>`).join('')}</spine></package>`,
          'META-INF/container.xml':
            '<container><rootfiles><rootfile full-path="O/c.opf"/></rootfiles></container>',
          'O/s.css': 'h1 .line, p .other { display: block }',
        },
      },
    ),
  )
  expect(outline(made)).toEqual([
    'body: 静かな川',
    'body: Chapter 1 The River',
    'body: THE FAR COUNTRY',
    'body: Once MacDuff',
    'body: Of the Feast',
  ])
})

test('an older package that names its document type is read, and one that defines entities is refused', async () => {
  const opf = (doctype: string) =>
    `<?xml version="1.0"?>${doctype}<package unique-identifier="i"><metadata><dc-metadata xmlns:dc="http://purl.org/dc/elements/1.0/"><dc:Title>The Sons</dc:Title><dc:Creator role="aut" file-as="Smith, Jane">Jane Smith</dc:Creator><dc:Creator role="ill">Ann Lee</dc:Creator><dc:Language>en</dc:Language></dc-metadata></metadata><manifest><item id="a" href="a.htm" media-type="text/x-oeb1-document"/></manifest><spine><itemref idref="a"/></spine></package>`
  const read = (doctype: string) =>
    makeEpub({ 'O/a.xhtml': undefined, 'O/a.htm': page('Far'), 'O/b.opf': opf(doctype) })
  for (const doctype of [
    '<!DOCTYPE package PUBLIC "+//ISBN 0-9673008-1-9//DTD OEB 1.2 Package//EN" "http://openebook.org/dtds/oeb-1.2/oebpkg12.dtd">',
    `<!DOCTYPE package PUBLIC '+//ISBN 0-9673008-1-9//DTD OEB 1.0 Package//EN' 'oebpkg1.dtd' [ ]>`,
    '<!DOCTYPE package SYSTEM "oebpkg1.dtd">',
    '<!DOCTYPE package>',
  ]) {
    const made = await books.readMade(read(doctype))
    expect(made.book).toMatchObject({ title: 'The Sons', authors: ['Jane Smith'], language: 'en' })
    expect(outline(made)).toEqual(['body: Far'])
    expect((await books.repairMade(read(doctype))).findings).toEqual([])
  }
  for (const doctype of [
    '<!DOCTYPE package [<!ENTITY a "b">]>',
    '<!DOCTYPE package PUBLIC "x" "http://openebook.org/x.dtd" [<!ENTITY % a "b"> %a;]>',
    '<!DOCTYPE package SYSTEM "file:///etc/passwd">',
    '<!DOCTYPE package SYSTEM "../../../etc/passwd">',
  ])
    await expect(books.readMade(read(doctype)), doctype).rejects.toMatchObject({
      code: 'uploads.too_complex',
    })
})

test('of several renditions one of flowing text is read, and a PDF or a missing one is passed over', async () => {
  const rendition = (title: string, layout = '') =>
    `<package><metadata><dc:title>${title}</dc:title><dc:language>en</dc:language>${layout}</metadata><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>`
  const fixed = '<meta property="rendition:layout">pre-paginated</meta>'
  const read = async (rootfiles: string) => {
    const made = await books.readMade(
      makeEpub({
        'META-INF/container.xml': `<container><rootfiles>${rootfiles}</rootfiles></container>`,
        'O/a.xhtml': page('Far'),
        'O/b.opf': rendition('Pages', fixed),
        'O/c.opf': rendition('Text'),
        'O/d.pdf': '%PDF-1.7',
      }),
    )
    return made.book.title
  }
  const file = (name: string, more = '') =>
    `<rootfile full-path="O/${name}" media-type="application/oebps-package+xml" ${more}/>`
  const pdf = '<rootfile full-path="O/d.pdf" media-type="application/pdf"/>'
  expect(await read(file('b.opf') + file('c.opf'))).toBe('Text')
  expect(await read(file('c.opf', 'rendition:layout="pre-paginated"') + file('b.opf'))).toBe('Text')
  expect(await read(pdf + file('c.opf'))).toBe('Text')
  expect(await read(file('lost.opf') + file('c.opf'))).toBe('Text')
  expect(await read(file('b.opf') + pdf)).toBe('Pages')
})

test('the sections of a chapter are no chapters, in a nested list and in a flat one', async () => {
  const words = 'Words of this section stand here. '.repeat(40)
  const pages = Object.fromEntries(
    [1, 2, 3, 4].map((n) => [
      `c${n}.xhtml`,
      `<h1>Chapter ${n}: Of ${n}</h1><p>${words}</p>${[1, 2, 3].map((s) => `<h2 id="s${s}">Section ${s} of it</h2><p>${words}</p>`).join('')}`,
    ]),
  )
  const link = (place: string, title: string) => `<a href="${place}">${title}</a>`
  const sections = (n: number) =>
    [1, 2, 3].map((s) => `<li>${link(`c${n}.xhtml#s${s}`, `Section ${s} of it`)}</li>`)
  const lists = {
    nested: [1, 2, 3, 4].map(
      (n) => `<li>${link(`c${n}.xhtml`, `Chapter ${n}: Of ${n}`)}<ol>${sections(n).join('')}</ol></li>`,
    ),
    flat: [1, 2, 3, 4].flatMap((n) =>
      [`<li>${link(`c${n}.xhtml`, `Chapter ${n}: Of ${n}`)}</li>`].concat(sections(n)),
    ),
  }
  for (const list of Object.values(lists)) {
    const { book } = await books.readMade(
      makeBook(pages, { nav: `<nav epub:type="toc"><ol>${list.join('')}</ol></nav>` }),
    )
    expect(book.chapters.map(({ title }) => title)).toEqual([1, 2, 3, 4].map((n) => `Chapter ${n}: Of ${n}`))
    expect(book.contents.filter(({ depth }) => depth === 0)).toHaveLength(4)
  }
})

// Markup that other writing programs export: read as a person would, whatever the contents say.

const xhtml = (body: string) => `<html><body>${body}</body></html>`

function make(pages: (string | Buffer)[], metadata = '<dc:title>The Sons</dc:title>', files = {}) {
  const name = (at: number) => `p${at}.xhtml`
  const items = pages.map((_, at) => `<item id="${name(at)}" href="${name(at)}"/>`).join('')
  const spine = pages.map((_, at) => `<itemref idref="${name(at)}"/>`).join('')
  const contents = pages.map((body, at) => [`O/${name(at)}`, typeof body === 'string' ? xhtml(body) : body])
  return books.readMade(
    makeEpub({
      'O/a.xhtml': undefined,
      'O/b.opf': `<package><metadata>${metadata}<dc:language>en</dc:language></metadata><manifest>${items}<item id="x" href="x.ncx" media-type="application/x-dtbncx+xml"/></manifest><spine>${spine}</spine></package>`,
      'O/x.ncx':
        '<ncx><navMap><navPoint><navLabel><text>Start</text></navLabel><content src="p0.xhtml"/></navPoint></navMap></ncx>',
      ...Object.fromEntries(contents),
      ...files,
    }),
  )
}

test('numbers and titles that are paragraphs, as a layout program has them; the title is no file name', async () => {
  const chapter = (number: number, title: string) =>
    `<div><p class="Chapter-Number">${number}</p><p class="Chapter-Title">${title}</p><p class="First">${words}</p></div>`
  const title = '<div><p class="Book-Title">The Sons</p><p class="Author">Jane Smith</p></div>'
  const made = await make(
    [title, chapter(1, 'Far'), chapter(2, 'Near')],
    '<dc:title>Sons_final_v3</dc:title>',
  )
  expect([made.book.title, made.book.authors]).toEqual(['The Sons', ['Jane Smith']])
  expect(outline(made).slice(1)).toEqual(['body: 1. Far', 'body: 2. Near'])
  expect(made.book.chapters[1]?.markdown).toBe(words.trim())
})

test('a page of title, licence and links to chapters is no chapter; bold lines are titles', async () => {
  const first =
    '<p>The Sons</p><p>Copyright 2020 Jane Smith</p><p>License Notes</p><p><a href="p1.xhtml">Chapter 1</a></p><p><a href="p2.xhtml">Chapter 2</a></p>'
  const chapters = [1, 2].map((number) => `<p><b>Chapter ${number}</b></p><p>${words}</p>`)
  const made = await make([first, ...chapters, '<p><b>About the Author</b></p><p>She lives by the sea.</p>'])
  expect(outline(made)).toEqual(['front: ', 'body: Chapter 1', 'body: Chapter 2', 'back: About the Author'])
  expect(made.book.firstChapter).toBe(1)
})

test('a number above a title belongs to it, and a contents list beside its links is front matter', async () => {
  const list =
    '<h1>THE SONS</h1><table><tr><td><a href="p1.xhtml">I.</a></td><td>Far</td></tr><tr><td><a href="p2.xhtml">II.</a></td><td>Near</td></tr></table>'
  const chapter = (number: string, title: string) => `<h2>${number}</h2><h3>${title}</h3><p>${words}</p>`
  const made = await make([list, chapter('Chapter One', 'Far'), chapter('Chapter Two', 'Near')])
  expect(outline(made)).toEqual(['front: THE SONS', 'body: Chapter One: Far', 'body: Chapter Two: Near'])
})

test('a page in an older encoding, and entities of HTML in the package, are read', async () => {
  const older = Buffer.from(`<html><body><h1>L\x92\xe9t\xe9</h1><p>${words}</p></body></html>`, 'latin1')
  const named = Buffer.concat([Buffer.from('<?xml version="1.0" encoding="windows-1251"?>'), older])
  const made = await make([older, named], '<dc:title>Caf&eacute;&nbsp;&amp; Sons</dc:title>')
  expect(made.book.title).toBe('Café & Sons')
  expect(made.book.chapters.map(({ title }) => title)).toEqual(['L’été', 'L’йtй'])
})

test('what programs write into empty fields is no text, and names are a person’s', async () => {
  const authors = async (...creators: string[]) => {
    const all = creators.map((name) => `<dc:creator>${name}</dc:creator>`).join('')
    const { book } = await make([`<h1>One</h1><p>${words}</p>`], `<dc:title>B</dc:title>${all}`)
    return book.authors
  }
  expect(await authors('Unknown')).toEqual([])
  expect(await authors('Jane Smith &lt;jane@example.org&gt;')).toEqual(['Jane Smith'])
  expect(await authors('jane@example.org')).toEqual([])
  expect(await authors('Jane Smith; Doe, John')).toEqual(['Jane Smith', 'John Doe'])
  expect(await authors('van Gogh, Vincent')).toEqual(['Vincent van Gogh'])
  expect(await authors('King, Martin Luther, Jr.')).toEqual(['Martin Luther King Jr.'])
  expect(await authors('Martin Luther King, Jr.')).toEqual(['Martin Luther King, Jr.'])
  expect(await authors('Jane Smith, John Doe')).toEqual(['Jane Smith', 'John Doe'])
  const { book } = await make(
    [`<h1>One</h1><p>${words}</p>`],
    '<dc:title>Untitled</dc:title><dc:publisher>unknown</dc:publisher><dc:description>No description available.</dc:description>',
  )
  expect([book.publisher, book.description]).toEqual([undefined, undefined])
})

test('a date of publication is a day, a month or a year; the moment at which a program made the file is none', async () => {
  const published = async (dates: string) =>
    (await make([`<h1>One</h1><p>${words}</p>`], `<dc:title>B</dc:title>${dates}`)).book.published_on
  const event = (name: string, date: string) => `<dc:date opf:event="${name}">${date}</dc:date>`
  expect(await published('<dc:date>1769</dc:date>')).toBe('1769')
  expect(await published('<dc:date>2024-03</dc:date>')).toBe('2024-03')
  expect(await published('<dc:date>2024-03-12T00:00:00+00:00</dc:date>')).toBe('2024-03-12')
  expect(await published('<dc:date>2026-11-23T05:08:05Z</dc:date>')).toBeUndefined()
  expect(await published('<dc:date>0101-01-01T00:00:00+00:00</dc:date>')).toBeUndefined()
  expect(await published('<dc:date>2024-13-40</dc:date>')).toBeUndefined()
  expect(await published(event('modification', '2025') + event('publication', '2020-01-01'))).toBe(
    '2020-01-01',
  )
})

test('a description that a shop has cut ends with its last whole sentence', async () => {
  const { book } = await make(
    [`<h1>One</h1><p>${words}</p>`],
    '<dc:title>B</dc:title><dc:description>Two sons. One goes away, and… Read more</dc:description>',
  )
  expect(book.description).toBe('Two sons.')
})

test('titles in plain divisions are titles, and running heads are not', async () => {
  const chapter = (number: string, title: string) =>
    `<div><div>${number}</div><div>${title}</div><div class="oeb-header">The Sons</div><div>${words}</div></div>`
  const made = await make([chapter('1', 'Far'), chapter('2', 'Near')])
  expect(outline(made)).toEqual(['body: 1. Far', 'body: 2. Near'])
  expect(made.book.chapters[0]?.markdown).toBe(words.trim())
})

test('the language is told by the letters of the text, also where much of it is English', async () => {
  const languageOf = async (text: string) => (await make([`<h1>One</h1><p>${text}</p>`])).book.language
  const english = 'The packaging of hello-1.0.tar.gz with debmake and debuild'
  expect(
    await languageOf(
      `${english} 本指南注重描述现代的打包风格，同时提供了许多简单的示例，可看作新维护者手册的继承文档。`,
    ),
  ).toBe('zh-Hans')
  expect(
    await languageOf(
      `${english} 이 문서는 데비안 프로젝트의 역사와 목표를 기술한다. 데비안은 여러 리더가 있었다.`,
    ),
  ).toBe('ko')
  expect(await languageOf(`${english} ${english} 太初有道`)).toBe('en')
})
