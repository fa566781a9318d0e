// How publishers arrange a book: what stands around its chapters, and below them.
import { afterAll, expect, test } from 'vitest'
import { makeBook, makeEpub, navPoint } from '#test/epub.ts'
import { openBookReader, outline } from '#test/read-books.ts'

const books = await openBookReader()
afterAll(() => books[Symbol.asyncDispose]())

const words = 'Once there was a man who had two sons, and this is what became of them. '.repeat(4)
const page = (title: string, text = words) => `<h1>${title}</h1><p>${text}</p>`

test('what stands below a preface or an appendix belongs to it', async () => {
  const made = await books.readMade(
    makeBook(
      {
        'pr01.xhtml': page('Preface'),
        'pr02.xhtml': page('How to Contact Us'),
        'ch1.xhtml': page('Far'),
        'ch2.xhtml': page('Near'),
        'ap1.xhtml': page('Appendix: Places'),
        'ap2.xhtml': page('Hebron'),
      },
      {
        ncx: [
          navPoint('Preface', 'pr01.xhtml', navPoint('How to Contact Us', 'pr02.xhtml')),
          navPoint('Far', 'ch1.xhtml'),
          navPoint('Near', 'ch2.xhtml'),
          navPoint('Appendix: Places', 'ap1.xhtml', navPoint('Hebron', 'ap2.xhtml')),
        ].join(''),
      },
    ),
  )
  expect(outline(made)).toEqual([
    'front: Preface',
    'front: How to Contact Us',
    'body: Far',
    'body: Near',
    'back: Appendix: Places',
    'back: Hebron',
  ])
  expect(made.book.firstChapter).toBe(2)
})

test('sections on pages of their own belong to the numbered chapter above them', async () => {
  const made = await books.readMade(
    makeBook(
      {
        'ch1.xhtml': page('1. Far'),
        'ch1s2.xhtml': page('The Far Country') + '<h2>Swine</h2><p>And husks.</p>',
        'ch2.xhtml': page('2. Near'),
        'ch3.xhtml': page('3. Home'),
      },
      {
        ncx: [
          navPoint('1. Far', 'ch1.xhtml', navPoint('The Far Country', 'ch1s2.xhtml')),
          navPoint('2. Near', 'ch2.xhtml'),
          navPoint('3. Home', 'ch3.xhtml'),
        ].join(''),
      },
    ),
  )
  expect(outline(made)).toEqual(['body: 1. Far', 'body: 2. Near', 'body: 3. Home'])
  expect(made.book.chapters[0]?.markdown).toBe(
    `${words.trim()}\n\n## The Far Country\n\n${words.trim()}\n\n### Swine\n\nAnd husks.`,
  )
  expect(made.book.contents.map(({ chapter }) => chapter)).toEqual([0, 0, 1, 2])
})

test('a section belongs to its numbered chapter whatever its title says, and also where the chapter begins shortly', async () => {
  const [long, short] = [words.repeat(6), words]
  const made = await books.readMade(
    makeBook(
      {
        'ch1.xhtml': page('1. Far', long),
        'ch1s2.xhtml': page('The Road'),
        'ch2.xhtml': page('2. Near', long),
        'ch2s2.xhtml': page('Copyright Assignment'),
        'ch2s3.xhtml': page('Dual Licensing'),
        'ch3.xhtml': page('3. Home', short),
        'ch3s2.xhtml': page('The Feast', long),
        'ch3s3.xhtml': page('Further Resources', long),
        'ch3s4.xhtml': page('Notes'),
      },
      {
        ncx: [
          navPoint('1. Far', 'ch1.xhtml', navPoint('The Road', 'ch1s2.xhtml')),
          navPoint(
            '2. Near',
            'ch2.xhtml',
            navPoint('Copyright Assignment', 'ch2s2.xhtml') + navPoint('Dual Licensing', 'ch2s3.xhtml'),
          ),
          navPoint(
            '3. Home',
            'ch3.xhtml',
            navPoint('The Feast', 'ch3s2.xhtml') +
              navPoint('Further Resources', 'ch3s3.xhtml') +
              navPoint('Notes', 'ch3s4.xhtml'),
          ),
        ].join(''),
      },
    ),
  )
  expect(outline(made)).toEqual(['body: 1. Far', 'body: 2. Near', 'body: 3. Home', 'back: Notes'])
  expect(made.book.chapters[1]?.markdown).toMatch(/## Copyright Assignment.*## Dual Licensing/s)
})

test('a first page under the book’s title, or under “by” and its author, is no chapter', async () => {
  const metadata = '<dc:title>The Sons</dc:title><dc:creator>Jane Smith</dc:creator>'
  const chapters = {
    'b.xhtml': page('Far', words.repeat(6)),
    'c.xhtml': page('Near', words.repeat(6)),
  }
  const epigraph = '<blockquote>But who shall dwell in these worlds if they be inhabited?</blockquote>'
  const byline = await books.readMade(
    makeBook(
      {
        'a.xhtml': `<h1 id="t">The Sons</h1><h2 id="by">by Jane Smith</h2>${epigraph}<p>${words}</p>`,
        ...chapters,
      },
      {
        metadata,
        ncx: [
          navPoint('The Sons', 'a.xhtml#t', navPoint('by Jane Smith', 'a.xhtml#by')),
          navPoint('Far', 'b.xhtml'),
          navPoint('Near', 'c.xhtml'),
        ].join(''),
      },
    ),
  )
  expect(outline(byline)).toContain('body: Far')
  expect(outline(byline).filter((each) => each.startsWith('body'))).toEqual(['body: Far', 'body: Near'])
  expect(byline.book.chapters[byline.book.firstChapter ?? -1]?.title).toBe('Far')
  const abstract = await books.readMade(
    makeBook(
      { 'a.xhtml': page('The Sons', `This book tells of two sons. ${words.repeat(2)}`), ...chapters },
      {
        metadata,
        ncx: navPoint('The Sons', 'a.xhtml', navPoint('Far', 'b.xhtml') + navPoint('Near', 'c.xhtml')),
      },
    ),
  )
  expect(outline(abstract)).toEqual(['front: The Sons', 'body: Far', 'body: Near'])
  // A story that gives its name to the book is as long as the others.
  const story = await books.readMade(
    makeBook({ 'a.xhtml': page('The Sons', words.repeat(6)), ...chapters }, { metadata }),
  )
  expect(outline(story)).toEqual(['body: The Sons', 'body: Far', 'body: Near'])
})

test('pages that hold nothing but a heading above the chapters are parts, and long ones are not', async () => {
  const made = await books.readMade(
    makeBook({
      'a.xhtml': '<h1>About</h1>',
      'b.xhtml': '<h1>Of the Sons</h1>',
      'c.xhtml': page('Far'),
      'd.xhtml': `<section epub:type="part">${page('Near', words.repeat(20))}</section>`,
      'e.xhtml': `<h1>Part II</h1><ul><li><a href="f.xhtml">Home</a></li><li><a href="g.xhtml">Feast</a></li></ul>`,
      'f.xhtml': page('Home'),
      'g.xhtml': page('Feast'),
    }),
  )
  expect(outline(made)).toEqual([
    'part: About',
    'part: Of the Sons',
    'body: Far',
    'body: Near',
    'part: Part II',
    'body: Home',
    'body: Feast',
  ])
})

test('a chapter with many references to other pages is no contents list', async () => {
  const reference = '<a href="g.xhtml#cl-19">cl-19</a>'
  const text = `<p>The sons ${reference} went ${reference} far away ${reference} and came ${reference} home again ${reference}, as it is told in these words.</p>`
  const made = await books.readMade(
    makeBook({ 'a.xhtml': `<h1>Far</h1>${text}`, 'b.xhtml': `<h1>Near</h1>${text}` }),
  )
  expect(outline(made)).toEqual(['body: Far', 'body: Near'])
})

test('the kinds that the landmarks give to places in one page are not the page’s own', async () => {
  const made = await books.readMade(
    makeBook(
      {
        'all.xhtml': `<section epub:type="frontmatter" id="front"><h1>The Sons</h1><p>By Nobody</p></section><section epub:type="bodymatter" id="body"><section id="c1"><h2>Far</h2><p>${words}</p></section><section id="c2"><h2>Near</h2><p>${words}</p></section></section><section id="end" epub:type="rearnotes"><h2>Remarks</h2><p>${words}</p></section>`,
      },
      {
        nav: `<nav epub:type="toc"><ol><li><a href="all.xhtml#c1">Far</a></li><li><a href="all.xhtml#c2">Near</a></li><li><a href="all.xhtml#end">Remarks</a></li></ol></nav>
          <nav epub:type="landmarks"><ol><li><a epub:type="frontmatter" href="all.xhtml#front">Front</a></li><li><a epub:type="bodymatter" href="all.xhtml#body">Begin</a></li></ol></nav>`,
      },
    ),
  )
  expect(outline(made)).toEqual(['front: The Sons', 'body: Far', 'body: Near', 'back: Remarks'])
  expect(made.book.firstChapter).toBe(1)
})

test('an introduction with a number is the first chapter, and a letter before a title is a word', async () => {
  const made = await books.readMade(
    makeBook({
      'introduction.xhtml': page('Chapter 1. Introduction'),
      'b.xhtml': `<hgroup><h2>II</h2><p>I Go Home</p></hgroup><p>${words}</p>`,
      'c.xhtml': `<hgroup><h2 epub:type="ordinal">X</h2><p epub:type="title">I Stay</p></hgroup><p>${words}</p>`,
    }),
  )
  expect(outline(made)).toEqual(['body: Chapter 1. Introduction', 'body: II. I Go Home', 'body: X. I Stay'])
  expect(made.book.chapters.map(({ markdown }) => markdown)).toEqual(
    Array.from({ length: 3 }, () => words.trim()),
  )
})

test('contents that name nothing but the cover and the beginning are none', async () => {
  const made = await books.readMade(
    makeBook(
      { 'cover.xhtml': '<p><img src="c.png"/></p>', 'a.xhtml': page('Far'), 'b.xhtml': page('Near') },
      {
        ncx: [
          navPoint('Couverture', 'cover.xhtml'),
          navPoint('Page de titre', 'cover.xhtml'),
          navPoint('Commencer la lecture', 'a.xhtml'),
        ].join(''),
      },
    ),
  )
  expect(outline(made)).toEqual(['body: Far', 'body: Near'])
})

test('a book of short chapters begins with its first one, and a book of an introduction with that', async () => {
  const short = await books.readMade(
    makeBook({
      'a.xhtml': page('Far', 'Once there was a man.'),
      'b.xhtml': page('Near', 'He had two sons.'),
      'c.xhtml': page('Home'),
    }),
  )
  expect(short.book.firstChapter).toBe(0)
  const sample = await books.readMade(
    makeBook({ 'a.xhtml': page('Introduction'), 'b.xhtml': page('About the Author') }),
  )
  expect([outline(sample)[0], sample.book.firstChapter]).toEqual(['body: Introduction', 0])
})

test('a book of pictures is accepted, and its first picture is its cover', async () => {
  const picture = Buffer.from('\x89PNG\r\n\x1a\n and so on', 'latin1')
  const opf = `<package><metadata><dc:title>The Sons</dc:title></metadata><manifest>${[1, 2].map((at) => `<item id="p${at}" href="p${at}.png" media-type="image/png"/>`).join('')}</manifest><spine><itemref idref="p1"/><itemref idref="p2"/></spine></package>`
  const { book, cover } = await books.readMade(
    makeEpub({ 'O/a.xhtml': undefined, 'O/b.opf': opf, 'O/p1.png': picture, 'O/p2.png': picture }),
  )
  expect(book).toMatchObject({ title: 'The Sons', chapters: [], firstChapter: null })
  expect(book.findings).toEqual([
    expect.stringMatching(/pictures and no text: please add the preview yourself/),
  ])
  expect(cover).toMatchObject({ length: picture.length })
})

test('the name of a file or folder in the title’s place gives way to the first page’s heading', async () => {
  const made = (title: string) =>
    books.readMade(
      makeBook(
        { 'a.xhtml': `<h1>The <i>Two</i> Sons</h1><p>By Nobody</p>`, 'b.xhtml': page('Far') },
        { metadata: `<dc:title>${title}</dc:title>` },
      ),
    )
  expect((await made('two-sons')).book.title).toBe('The Two Sons')
  expect((await made('sons')).book.title).toBe('sons')
})

const novel: [string, string][] = [
  ['Dedication', 'For my mother.'],
  ['Prologue', words],
  ['PART ONE: Going', ''],
  ['Chapter 1: Far', words],
  ['Chapter 2: Near', words],
  ['Epilogue', words],
  ['About the Author', 'She lives by the sea.'],
]
const novelOutline = [
  'front: Dedication',
  'body: Prologue',
  'part: PART ONE: Going',
  'body: Chapter 1: Far',
  'body: Chapter 2: Near',
  'body: Epilogue',
  'back: About the Author',
]

test('what the contents leave out is found by its title: on a page of its own, in one page, within a part', async () => {
  const tagOf = (title: string) => (title.startsWith('Chapter') ? 'h2' : 'h1')
  const texts = novel.map(([title, text], at) => {
    const tag = tagOf(title)
    return `<${tag} id="t${at}">${title}</${tag}><p>${text}</p>`
  })
  const pages = Object.fromEntries(texts.map((text, at) => [`c${at}.xhtml`, text]))
  const listed = (href: (at: number) => string) =>
    [1, 3, 4].map((at) => navPoint(novel[at]?.[0] ?? '', href(at))).join('')
  const apart = await books.readMade(makeBook(pages, { ncx: listed((at) => `c${at}.xhtml`) }))
  expect(outline(apart)).toEqual(novelOutline)
  const inOne = makeBook(
    { 'all.xhtml': texts.join('') },
    { ncx: [1, 2, 3, 4, 5].map((at) => navPoint(novel[at]?.[0] ?? '', `all.xhtml#t${at}`)).join('') },
  )
  expect(outline(await books.readMade(inOne))).toEqual(novelOutline)
  const bold = novel.slice(3, 5).map(([title, text]) => `<p><b>${title}</b></p><p>${text}</p>`)
  const inPart = makeBook(
    { ...pages, 'c2.xhtml': `<p><b>PART ONE: Going</b></p>${bold.join('')}`, 'c3.xhtml': '', 'c4.xhtml': '' },
    { ncx: [0, 1, 2, 5, 6].map((at) => navPoint(novel[at]?.[0] ?? '', `c${at}.xhtml`)).join('') },
  )
  expect(outline(await books.readMade(inPart))).toEqual(novelOutline)
})

test('files that are called parts by a program hold chapters', async () => {
  const made = await books.readMade(
    makeBook({
      'part0000.xhtml': page('Far', 'Once.'),
      'part0001_split_000.xhtml': page('Near', 'Twice.'),
      'part0002.xhtml': page('1 Dedication', 'For you.'),
    }),
  )
  expect(outline(made)).toEqual(['body: Far', 'body: Near', 'back: 1 Dedication'])
})
