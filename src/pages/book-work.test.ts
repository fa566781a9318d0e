// What a long book needs, done beside the shop's own work. Needs the build.
import { beforeAll, expect, test } from 'vitest'
import { sampleBook } from '#content/sample-book.ts'
import type { BookDocument } from '#contract/book/book.ts'
import { publishedBook } from '#domains/book/published-book.ts'
import { showChapters } from '#domains/book/show-book.ts'
import { openTestShop } from '#test/shop.ts'
import { openSite, product, unchangingSite } from '#test/site.ts'
import { ensureBuilt } from '#tools/build.ts'
import { openSite as openPages } from './site.ts'

/** In milliseconds of this thread: what one chapter costs where it is read. */
let chapterMs = 0

/** What this thread may spend on a long book: half of what reading it here would cost. */
const limitOf = (document: BookDocument) => (document.preview.chapters.length * chapterMs) / 2

beforeAll(async () => {
  ensureBuilt()
  chapterMs = await cpuOf(async () => showChapters(withChapters([listOf(items)])))
})

/** In milliseconds of this thread. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  return process.threadCpuUsage(before).user / 1000
}

/** The longest that this thread was busy without a pause, in milliseconds. */
async function maxTurnOf(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let before = process.threadCpuUsage()
  let isOver = false
  const next = () => {
    const { user, system } = process.threadCpuUsage(before)
    longest = Math.max(longest, (user + system) / 1000)
    before = process.threadCpuUsage()
    if (!isOver) setTimeout(next, 1)
  }
  next()
  await work()
  isOver = true
  next()
  return longest
}

test('a preview of a draft shows where author and quotations will stand, unless they are there or switched off', async () => {
  const { renderPage } = await unchangingSite()
  const sections = sampleBook.sections.map(({ name }) => ({ name, is_shown: true }))
  const author = { ...sampleBook.author, biography: '', portrait: null }
  const empty = { ...sampleBook, author, quotes: [], sections }
  const placesIn = async (document: BookDocument) =>
    [...(await renderPage('/', document)).matchAll(/ will stand here/g)].length
  expect(await placesIn(empty)).toBe(2)
  expect(await placesIn({ ...empty, author: { ...author, biography: 'Ruth writes.' } })).toBe(1)
  expect(await placesIn({ ...empty, sections: sampleBook.sections.map(hide) })).toBe(0)
})

const hide = <Section extends { name: string }>(section: Section) => ({
  ...section,
  is_shown: !['author', 'quotes'].includes(section.name),
})

test('a preview of a draft shows its words', async () => {
  const { renderPage } = await unchangingSite()
  const document = { ...sampleBook, subtitle: 'Words of the draft' }
  expect(await renderPage('/', document)).toContain('Words of the draft')
  expect(await renderPage('/preview', document)).toContain(sampleBook.preview.chapters[0]?.title)
})

test('a date that is half typed, and a tag without a language, leave the rest of the facts', async () => {
  const { renderPage } = await unchangingSite()
  const factsOf = async (published_on: string, language = 'en') => {
    const document = {
      ...sampleBook,
      title: 'My Own Book',
      publisher: 'The Shed Press',
      published_on,
      language,
    }
    const [list = ''] = /<dl id="colophon"[^]*?<\/dl>/.exec(await renderPage('/', document)) ?? []
    return Array.from(list.matchAll(/<p>(.*?)<\/p>/g), ([, value]) => value)
  }
  expect(await factsOf('2026-03-12')).toEqual(['English', 'The Shed Press', 'March 12, 2026'])
  for (const date of ['2026-0', '2026-03-', '2026-02-30', 'soon'])
    expect(await factsOf(date), date).toEqual(['English', 'The Shed Press'])
  for (const tag of ['', 'i-klingon'])
    expect(await factsOf('2026', tag), tag).toEqual(['The Shed Press', '2026'])
})

test('the facts name the language without its region, and with a script that is not its usual one', async () => {
  const { renderPage } = await unchangingSite()
  const languages = {
    'en-IE': 'English',
    'de-AT': 'Deutsch',
    'pt-BR': 'português',
    'zh-TW': 'Traditional Chinese',
    'sr-Latn': 'Serbian (Latin)',
  }
  for (const [language, name] of Object.entries(languages)) {
    const html = await renderPage('/', { ...sampleBook, title: 'My Own Book', language })
    expect(/<dl id="colophon"[^]*?<p>(.*?)<\/p>/.exec(html)?.[1], language).toBe(name)
  }
})

const listOf = (items: number) => ({ number: 1, title: 'A list', text: '- a\n'.repeat(items) })

function withChapters(chapters: BookDocument['preview']['chapters']): BookDocument {
  return { ...sampleBook, rating: null, preview: { ...sampleBook.preview, chapters } }
}

const items = 10_000
const longBook = () => withChapters(Array.from({ length: 5 }, () => listOf(items)))

test('a draft of long lists holds up nobody while it is rendered', async () => {
  const { renderPage } = await unchangingSite()
  await renderPage('/', sampleBook)
  const document = longBook()
  let html = ''
  const cpu = await cpuOf(async () => (html = await renderPage('/preview', document)))
  expect(html.split('<li').length).toBeGreaterThan(document.preview.chapters.length * items)
  expect(cpu).toBeLessThan(limitOf(document))
  expect(await renderPage('/', sampleBook)).toContain(sampleBook.subtitle)
})

test('the pages of a published book of long lists hold up nobody, and are as those of a short one', async () => {
  const known = { products: [product], calls: 0, book: await publishedBook(sampleBook) }
  const { get, dropPages } = await openSite(known)
  const short = await get('/preview')
  const document = { ...longBook(), title: 'A book of lists' }
  known.book = await publishedBook(document)
  dropPages()
  let long = short
  const turn = await maxTurnOf(async () => {
    long = await get('/preview')
    await get('/')
  })
  expect(turn).toBeLessThan(limitOf(document))
  const html = await long.text()
  expect(html.split('<li').length).toBeGreaterThan(items)
  expect(html.includes('A book of lists')).toBe(true)
  expect([...long.headers.keys()]).toEqual([...short.headers.keys()])
})

test('nobody waits while a book of long lists is published, asked for its warnings, and read', async () => {
  await using shop = await openTestShop({ openPages })
  const author = await shop.person({ role: 'admin' })
  const call = async (method: string, path: string, body?: object) => {
    const response = await author.call(method, path, { ...(body && { body }) })
    expect(response.status).toBe(200)
    return response
  }
  const [first, ...others] = longBook().preview.chapters
  const linked = { ...first!, text: `[nowhere](http://127.0.0.1/x)\n\n${first!.text.slice(100)}` }
  const document = { ...withChapters([linked, ...others]), title: 'A book of lists' }
  await call('PUT', '/api/admin/book/draft', { revision: 0, document })
  const turn = await maxTurnOf(async () => {
    const warnings = call('GET', '/api/admin/book/warnings')
    await call('POST', '/api/admin/book/publish', { revision: 1 })
    await call('GET', '/api/book/chapters')
    expect((await (await shop.call('GET', '/')).text()).includes('A book of lists')).toBe(true)
    expect(await (await warnings).text()).toContain('http://127.0.0.1/x')
  })
  expect(turn).toBeLessThan(limitOf(document))
})
