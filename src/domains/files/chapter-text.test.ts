// What is left of a chapter's text: without what programs put around it, line by line where lines matter.
import { afterAll, expect, test } from 'vitest'
import { makeBook, navPoint } from '#test/epub.ts'
import { openBookReader } from '#test/read-books.ts'
import { isPartTitle } from './chapter-kinds.ts'
import { isNumber, isSameTitle } from './titles.ts'

const books = await openBookReader()
afterAll(() => books[Symbol.asyncDispose]())

const words = 'Once there was a man who had two sons, and this is what became of them.'

async function textOf(body: string) {
  const pages = { 'a.xhtml': `<h1>Far</h1>${body}`, 'b.xhtml': '<h1>Near</h1>' }
  const ncx = navPoint('Far', 'a.xhtml') + navPoint('Near', 'b.xhtml')
  const { book } = await books.readMade(makeBook(pages, { ncx }))
  return book.chapters[0]?.markdown
}

test('a chapter’s list of its sections is no text', async () => {
  const list =
    '<dl class="toc"><dt><a href="#s1">1.1. Husks</a></dt><dt><a href="#s2">1.2. Swine</a></dt></dl>'
  const ending = `<p>${words}</p><h2 id="s1">Husks</h2><p>And so on.</p>`
  const expected = `${words}\n\n## Husks\n\nAnd so on.`
  expect(await textOf(`<div class="toc"><p><b>Table of Contents</b></p>${list}</div>${ending}`)).toBe(
    expected,
  )
  expect(await textOf(list.replace(' class="toc"', '') + ending)).toBe(expected)
  const links =
    '<ul><li><a href="#s1">Husks</a>, which the swine did eat</li><li><a href="#s2">Swine</a> of the citizen</li></ul>'
  expect(await textOf(links + ending)).toContain('- Husks, which')
})

test('numbers of paragraphs and references to notes are no text', async () => {
  const numbered = `<div><label class="ocn"><a href="#o5">5</a></label><p id="o5">${words}</p></div>`
  expect(await textOf(numbered)).toBe(words)
  expect(
    await textOf(`<p>A man<a href="#n1">[1]</a> had two sons.<a id="r" href="n.xhtml#n2">2</a></p>`),
  ).toBe('A man had two sons.')
  expect(
    await textOf(`<h2><a href="#toc">1</a></h2><p>${words}</p><h2><a href="#toc">2</a></h2><p>${words}</p>`),
  ).toBe(`${words}\n\n## 2\n\n${words}`)
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
