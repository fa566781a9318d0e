// Markup that other writing programs export: read as a person would, whatever the contents say.
import { afterAll, expect, test } from 'vitest'
import { makeEpub } from '#test/epub.ts'
import { openBookReader, outline } from '#test/read-books.ts'

const books = await openBookReader()
afterAll(() => books[Symbol.asyncDispose]())

const words = 'Once there was a man who had two sons, and this is what became of them. '.repeat(4)
const page = (body: string) => `<html><body>${body}</body></html>`

function make(pages: (string | Buffer)[], metadata = '<dc:title>The Sons</dc:title>', files = {}) {
  const name = (at: number) => `p${at}.xhtml`
  const items = pages.map((_, at) => `<item id="${name(at)}" href="${name(at)}"/>`).join('')
  const spine = pages.map((_, at) => `<itemref idref="${name(at)}"/>`).join('')
  const contents = pages.map((body, at) => [`O/${name(at)}`, typeof body === 'string' ? page(body) : body])
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
