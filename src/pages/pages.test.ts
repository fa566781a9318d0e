// What a page tells machines: browsers, search engines, social networks.
import type { Wording } from '#words/texts.ts'
import { createHash } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { Product } from '#contract/catalog/products.ts'
import { book } from '#content/book.ts'
import { sampleBook } from '#content/sample-book.ts'
import { sectionNames } from '#contract/book/book.ts'
import { publishedBook, readDocument } from '#domains/book/published-book.ts'
import { filledLegal } from '#test/legal.ts'
import { openSite, product, unchangingSite } from '#test/site.ts'
import { ensureBuilt } from '#tools/build.ts'
import { pageHeaders, scriptHashes } from './book-work.ts'
import { loadFronts, pagePaths } from './render.ts'

beforeAll(() => ensureBuilt())

test('the content policy allows exactly the scripts and styles that stand in the page', async () => {
  const { get } = await unchangingSite()
  for (const path of ['/', '/preview', '/auth', '/dashboard', '/nowhere']) {
    const response = await get(path)
    const html = await response.text()
    const policy = response.headers.get('content-security-policy')!
    expect(policy).not.toContain('unsafe')
    expect(html).not.toMatch(/<[a-z][^>]*\s(style|on[a-z]+)=/)
    const inline = [
      ...html.matchAll(/<(?:style|script)(?![^>]*(?:src=|json))[^>]*>([^]*?)<\/(?:style|script)>/g),
    ]
    const hashes = inline.map(([, code]) => `'sha256-${createHash('sha256').update(code!).digest('base64')}'`)
    expect(hashes.length).toBeGreaterThan(1)
    expect(new Set(policy.match(/'sha256-[^']+'/g))).toEqual(new Set(hashes))
  }
})

test('no data of a shop are in a script: those of the policy are the same for every book', async () => {
  const legal = filledLegal()
  const own = await publishedBook({ ...sampleBook, title: '</script><script>alert(1)</script>', legal })
  const sites = [await unchangingSite(), await openSite({ products: [product], calls: 0, book: own })]
  for (const path of ['/', '/preview', '/auth', '/terms', '/nowhere']) {
    const [sample, other] = await Promise.all(
      sites.map(async ({ get }) => {
        const policy = (await get(path)).headers.get('content-security-policy')!
        return /script-src[^;]*/.exec(policy)![0]
      }),
    )
    expect([path, other]).toEqual([path, sample])
  }
})

test('a script that got into a finished page is not allowed', () => {
  const policy = (html: string) => pageHeaders(html, scriptHashes('<script>ours</script>'))
  expect(policy('<script>alert(1)</script>')).toEqual(policy('<script>ours</script>'))
})

test('with a test key every page says that no real money is taken; with a live one or none, no page does', async () => {
  const says = async (key?: string) => {
    const { text } = await openSite(undefined, undefined, key)
    const pages = await Promise.all(
      ['/', '/preview', '/auth', '/dashboard', '/admin', '/dashboard/receipts/1', '/nowhere'].map(text),
    )
    return pages.map((page) => page.includes('Test mode: no real money is taken'))
  }
  expect(new Set(await says('sk_test_x'))).toEqual(new Set([true]))
  expect(new Set(await says('sk_live_x'))).toEqual(new Set([false]))
  expect(new Set(await says())).toEqual(new Set([false]))
})

test('prices and shipping say whether the tax is in them, once the author has said so', async () => {
  const paper: Product = {
    ...product,
    id: crypto.randomUUID(),
    format: 'paperback',
    price: 24.99,
    ships: true,
  }
  const gift: Product = { ...product, id: crypto.randomUUID(), price: 0 }
  const read = async (in_prices?: 'included' | 'added' | 'none') => {
    const products = [product, paper, gift]
    const { text } = await openSite({ products, calls: 0, ...(in_prices && { in_prices }), shipping: 4.9 })
    const html = await text('/')
    return { said: html.match(/incl\. VAT|excl\. tax/g) ?? [], html }
  }
  const included = await read('included')
  expect(included.said).toEqual(['incl. VAT', 'incl. VAT', 'incl. VAT'])
  expect(included.html).toMatch(/\$24\.99<\/span><\/p><\/div><div[^>]*><p[^>]*><span[^>]*>incl\. VAT</)
  expect(included.html).toContain('Plus $4.90 shipping (incl. VAT)')
  expect((await read('added')).html).toContain('Plus $4.90 shipping (excl. tax)')
  expect((await read('none')).said).toEqual([])
  expect((await read()).said).toEqual([])
})

/** As an own book's setup makes it, of what a file says. */
const ownBook = readDocument({
  ...sampleBook,
  title: 'The Kitchen Garden Year',
  description: `A book for anyone with a bed. ${'Each chapter begins outdoors, and ends at the table. '.repeat(5)}`,
  author: { ...sampleBook.author, name: 'Marta', biography: 'I grow vegetables.' },
  isbns: { ...sampleBook.isbns, digital: '978-3-16-148410-0' },
  pages: { digital: 1, paperback: 212, hardcover: 300 },
  publisher: 'The Shed Press',
  published_on: '2025-03',
  words: [
    { word: 'Before you begin', line: '' },
    { word: 'Frost', line: '' },
  ],
  words_title: '',
  words_have_own_numbers: true,
  invitation: { title: '', text: 'A window will do.' },
  quotes: [{ text: 'Plain.', by: 'Ruth', source: 'The Gleaner', permission: '' }],
  sections: sectionNames.map((name) => ({ name, is_shown: true })),
})
test('robots, sitemap and manifest speak of this address', async () => {
  const { get, text } = await unchangingSite()
  expect(await text('/robots.txt')).toContain('Sitemap: https://shop.example/sitemap.xml')
  expect(await text('/sitemap.xml')).toContain('<loc>https://shop.example/preview</loc>')
  expect((await get('/manifest.webmanifest')).headers.get('content-type')).toBe('application/manifest+json')
  expect(await text('/')).toContain('<link rel="canonical" href="https://shop.example/"')
  // The sample was never published.
  expect(await text('/sitemap.xml')).not.toContain('lastmod')
})

const titleOf = (html: string) => /<title>(.*?)<\/title>/.exec(html)![1]!

test('an own book says in its titles whose it is, and on private pages which; the sample keeps its titles', async () => {
  const at = new Date('2026-11-28T12:00:00Z')
  const { text } = await openSite({
    products: [product],
    calls: 0,
    book: await publishedBook(ownBook, true, at),
  })
  expect(titleOf(await text('/'))).toBe('The Kitchen Garden Year by Marta')
  for (const path of ['/preview', '/auth', '/dashboard', '/account', '/admin', '/purchases', '/confirm'])
    expect(titleOf(await text(path)), path).toMatch(/ · The Kitchen Garden Year$/)
  expect(await text('/sitemap.xml')).toContain(
    '<url><loc>https://shop.example/</loc><lastmod>2026-11-28T12:00:00.000Z</lastmod></url>',
  )
  const sample = await unchangingSite()
  expect(titleOf(await sample.text('/'))).toBe('Nine P&#x27;s that Change Everything')
  for (const path of ['/dashboard', '/admin', '/purchases'])
    expect(titleOf(await sample.text(path)), path).not.toContain('Nine')
})

test('search engines leave out the sign-in, and find an icon of 48 pixels or more; phones one to cut into shape', async () => {
  const cover = { id: '019a9b1c-0000-7000-8000-00000000000c', width: 1000, height: 1500, alt: '' }
  const drawn = await publishedBook(ownBook)
  const pictured = await publishedBook({ ...ownBook, cover })
  for (const book of [undefined, drawn, pictured]) {
    const { text } = await openSite({ products: [product], calls: 0, ...(book && { book }) })
    expect(await text('/auth')).toContain('<meta name="robots" content="noindex"/>')
    const home = await text('/')
    expect(home).not.toContain('noindex')
    expect(home).toMatch(/<link rel="icon" type="image\/(svg\+xml"|png" sizes="192x192")/)
    const { icons } = JSON.parse(await text('/manifest.webmanifest')) as { icons: { purpose?: string }[] }
    expect(icons.filter(({ purpose }) => purpose === 'maskable')).toHaveLength(1)
  }
})

test('search engines may fetch every picture that a page of an own book names', async () => {
  const cover = { id: '019a9b1c-0000-7000-8000-00000000000c', width: 1000, height: 1500, alt: '' }
  const products = [{ ...product, cover_url: `/pictures/${cover.id}/640.webp`, cover }]
  for (const change of [{ title: 'Drawn' }, { title: 'Pictured', cover }]) {
    const book = await publishedBook({ ...sampleBook, ...change })
    const { text } = await openSite({ products, calls: 0, book })
    const forbidden = [...(await text('/robots.txt')).matchAll(/^Disallow: (\S+)/gm)].map(([, path]) => path!)
    const pages = [await text('/'), await text('/preview'), await text('/manifest.webmanifest')].join('')
    const named = [
      ...pages.matchAll(/["(,](?:https:\/\/shop\.example)?(\/[^"\s)]+\.(?:png|jpe?g|webp|svg))/g),
    ]
    const paths = new Set(named.map(([, path]) => path!))
    expect(paths.size).toBeGreaterThan(5)
    for (const start of forbidden) expect([...paths].filter((path) => path.startsWith(start))).toEqual([])
  }
})

const onPaper = { ...product, id: '019a9b1c-0000-7000-8000-000000000002', format: 'paperback' as const }

const headingsOf = (html: string) =>
  Array.from(html.matchAll(/<h2[^>]*>(.*?)<\/h2>/g), ([, text]) => text!.replaceAll(/<[^>]+>/g, ''))

test('a new page of an own book has its author before the prices, and says what the file says of each format', async () => {
  const products = [{ ...product, file_sizes: { epub: 1_572_864 } }, onPaper]
  const { text } = await openSite({ products, calls: 0, book: await publishedBook(ownBook) })
  const html = await text('/')
  expect(headingsOf(html)).toEqual([
    'About the book',
    'A blueprint for faith',
    'Read a Preview',
    'In this book',
    'About the author',
    'A personal invitation',
    'Get Your Copy Today',
    'Contact the Author',
    'Nine words. One foundation.',
  ])
  const plain = html.replaceAll(/<[^>]+>/g, '').replaceAll('\u00A0', ' ')
  expect(html.match(/I grow vegetables/g)).toHaveLength(1)
  // The only quotation stands beside the title; more have a section of their own.
  expect(plain).toContain('Ruth, The Gleaner')
  const quotes = [...ownBook.quotes, ...ownBook.quotes]
  const quoted = await openSite({ products, calls: 0, book: await publishedBook({ ...ownBook, quotes }) })
  expect(headingsOf(await quoted.text('/'))).toContain('What readers say')
  expect(plain).toContain('DigitalEPUB, 1.5 MB1 pageISBN 978-3-16-148410-0')
  expect(html).toContain('ISBN <span class="whitespace-nowrap">978-3-16-148410-0</span>')
  expect(plain).toContain('Paperback212 pages')
  expect(plain).not.toContain('300 pages')
  expect(plain).toContain('LanguageEnglishPublisherThe Shed PressPublicationMarch 2025')
  const [link] = /<a href="\/preview#chapter-1"[^>]*>Before you begin</.exec(html) ?? []
  expect(link).toBeDefined()
  expect(html).not.toContain('>Frost</a>')
  expect(await text('/preview')).toContain('<article id="chapter-1"')
})

test('a page from before there was a section about the author keeps its order, with the author above the form', async () => {
  const { description_title: _t, pages: _p, publisher: _by, published_on: _on, ...stored } = ownBook
  const sections = ['purchase', 'invitation', 'contact'].map((name) => ({ name, is_shown: true }))
  const book = await publishedBook(readDocument({ ...stored, sections }))
  const { text } = await openSite({ products: [product], calls: 0, book })
  const html = await text('/')
  expect(headingsOf(html)).toEqual([
    'About the book',
    'Get Your Copy Today',
    'A personal invitation',
    'Contact the Author',
    'Nine words. One foundation.',
  ])
  const [before = '', after = ''] = html.split('id="contact-title"')
  expect([before.includes('I grow vegetables'), after.includes('I grow vegetables')]).toEqual([false, true])
  expect(html).toContain('<p>English</p>')
})

test('legal pages are there, linked and in the sitemap once they are filled in; until then they are not found', async () => {
  const before = await unchangingSite()
  expect((await before.get('/terms')).status).toBe(404)
  expect(await before.text('/')).not.toContain('href="/terms"')
  expect(await before.text('/sitemap.xml')).not.toContain('terms')

  const legal = filledLegal()
  legal.pages.privacy.is_shown = false
  const book = await publishedBook({ ...sampleBook, legal })
  const { get, text } = await openSite({ products: [product], calls: 0, book })
  const terms = await get('/terms')
  expect(terms.status).toBe(200)
  expect(await terms.text()).toMatch(/<h1[^>]*>Terms<\/h1>/)
  expect((await get('/privacy')).status).toBe(404)
  expect(await text('/imprint')).toContain('<link rel="canonical" href="https://shop.example/imprint"')
  for (const path of ['/', '/preview', '/imprint']) expect(await text(path)).toContain('href="/terms"')
  expect(await text('/')).toContain('Before you buy, please read:')
  const sitemap = await text('/sitemap.xml')
  expect(sitemap).toContain('<loc>https://shop.example/terms</loc>')
  expect(sitemap).not.toContain('privacy')
})

test('pages have the words that the author has changed, and carry those of pages alone to the browser', async () => {
  const texts = {
    'home.getTheBook': 'Zum Buch </script><script>alert(1)</script>',
    'auth.lead': 'Hier anmelden',
    'site.signOut': 'Abmelden',
    'emails.receipt.title': 'Danke',
    'home.moreChapters.other': 'without what belongs in it',
  }
  const book = await publishedBook({ ...sampleBook, texts })
  const { text } = await openSite({ products: [product], calls: 0, book })
  const carried = (html: string) =>
    JSON.parse(/<script id="texts" type="application\/json">(.*?)<\/script>/.exec(html)![1]!) as Wording
  const home = await text('/')
  expect(home).toContain('Zum Buch &lt;/script&gt;')
  expect(home).not.toContain('<script>alert')
  expect(home).not.toContain('Get the Book')
  expect(home).not.toContain('Danke')
  // Of the site those of its islands.
  const ofIslands = { 'home.getTheBook': texts['home.getTheBook'], 'site.signOut': 'Abmelden' }
  expect(carried(home).texts).toEqual(ofIslands)
  const auth = await text('/auth')
  expect(auth).toContain('Hier anmelden')
  expect(carried(auth).texts).toEqual({ ...ofIslands, 'auth.lead': 'Hier anmelden' })
  const admin = await text('/admin')
  expect(carried(admin)).toEqual(carried(auth))
  expect(admin.replace(/<script id="texts".*?<\/script>/, '')).not.toContain('Abmelden')
  const other = await unchangingSite()
  expect(await other.text('/')).not.toContain('id="texts"')
})

test('a page of the admin area that is rendered first leaves the author’s words to the others', async () => {
  const [first, ...others] = sampleBook.preview.chapters
  const chapters = [{ ...first!, title: '' }, ...others]
  const texts = { 'preview.page': 'Leseprobe' }
  const document = { ...sampleBook, texts, preview: { ...sampleBook.preview, chapters } }
  const { renderPage } = await unchangingSite()
  await renderPage('/admin', document)
  expect(await renderPage('/preview', document)).toMatch(/<h1[^>]*>Leseprobe</)
})

test('an asset that is not there is a short 404, which nothing stores', async () => {
  const { get } = await unchangingSite()
  for (const path of ['/assets/auth-00000000.js', '/assets/../package.json', '/assets/%2e%2e/x']) {
    const response = await get(path)
    if (path.startsWith('/assets/auth')) expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.status).toBe(404)
  }
  expect((await (await get('/assets/auth-00000000.js')).text()).length).toBeLessThan(50)
})

test('pictures are shown on pages of others, and nothing else is', async () => {
  const { get } = await unchangingSite()
  const policy = async (path: string) => (await get(path)).headers.get('cross-origin-resource-policy')
  expect(await policy('/social.png')).toBe('cross-origin')
  for (const path of ['/', '/robots.txt']) expect(await policy(path)).toBe('same-origin')
})

test('search engines get a description of at most 160 characters, which ends behind a sentence or a word', async () => {
  const shown = async (description: string) => {
    const { text } = await openSite({
      products: [product],
      calls: 0,
      book: await publishedBook({ ...ownBook, description }),
    })
    return /<meta name="description" content="([^"]*)"/.exec(await text('/'))?.[1]
  }
  const sentence = 'A walk across one county, told in twelve short chapters, with bread in the bag.'
  expect(await shown(sentence)).toBe(sentence)
  expect(await shown(`${sentence} ${sentence} ${sentence}`)).toBe(`${sentence} ${sentence}`)
  expect(await shown(`${'clouds '.repeat(40)}end.`)).toBe(`${'clouds '.repeat(22).trim()}…`)
})

test('the first HTML has the data for sharing, under both names', async () => {
  const { text } = await unchangingSite()
  const tagsOf = async (path: string) => {
    const tags = (await text(path)).matchAll(
      /<meta (?:name|property)="((?:og|twitter):[^"]+)" content="([^"]*)"/g,
    )
    return Object.fromEntries(
      [...tags].map(([, name, content]) => [name, content!.replaceAll('&#x27;', "'")]),
    )
  }
  const { title, description } = book
  const home = {
    'og:type': 'book',
    'og:site_name': title,
    'og:title': title,
    'og:description': description,
    'og:url': 'https://shop.example/',
    'og:image': 'https://shop.example/social.png',
    'og:image:width': '1200',
    'og:image:height': '630',
    'og:image:alt': `The cover of ${title}`,
    'twitter:card': 'summary_large_image',
    'twitter:title': title,
    'twitter:description': description,
    'twitter:image': 'https://shop.example/social.png',
    'twitter:image:alt': `The cover of ${title}`,
  }
  expect(await tagsOf('/')).toEqual(home)
  const preview = await tagsOf('/preview')
  expect(Object.keys(preview)).toEqual(Object.keys(await tagsOf('/')))
  expect(preview['twitter:title']).toMatch(new RegExp(`. · ${title}$`))
  expect(preview['og:url']).toBe('https://shop.example/preview')
  for (const name of ['title', 'description', 'image', 'image:alt'])
    expect(preview[`twitter:${name}`]).toBe(preview[`og:${name}`])
})

test('links to an own book show a picture of its own, another one once its formats change', async () => {
  const book = await publishedBook(ownBook)
  const pictureOf = async (path: string, products: Product[]) => {
    const { text } = await openSite({ products, calls: 0, book })
    return /property="og:image" content="https:\/\/shop\.example([^"]*)"/.exec(await text(path))?.[1]
  }
  const picture = await pictureOf('/', [product])
  expect(picture).toMatch(/^\/cover\/share\.jpg\?v=[\w-]{16}$/)
  expect(await pictureOf('/preview', [product])).toBe(picture)
  expect(await pictureOf('/', [{ ...product, price: 20 }])).toBe(picture)
  expect(await pictureOf('/', [product, onPaper])).not.toBe(picture)
})

test('the first HTML has the book and an offer for each format, for search engines', async () => {
  const { text } = await unchangingSite()
  const [, ld] = /<script type="application\/ld\+json"[^>]*>([^]*?)<\/script>/.exec(await text('/'))!
  expect(JSON.parse(ld!)).toMatchObject({
    '@type': 'Book',
    name: book.title,
    url: 'https://shop.example/',
    workExample: [{ name: product.name, offers: { price: '14.99', priceCurrency: 'USD' } }],
  })
})

test('the price beside the title is that of the book, however cheap another title is', async () => {
  const own = await publishedBook({ ...sampleBook, title: 'My Own Book', product: '' }, true)
  const products = [
    { ...product, name: 'My Own Book (Digital)', price: 12 },
    { ...onPaper, name: 'My Own Book (Paperback)', price: 20 },
    { ...product, id: '019a9b1c-0000-7000-8000-000000000009', name: 'Another Title', price: 8.5 },
  ]
  const { text } = await openSite({ products, calls: 0, book: own })
  const html = await text('/')
  const prices = [...html.replaceAll('<!-- -->', '').matchAll(/From \$[\d.]+/g)].map(([price]) => price)
  expect(new Set(prices)).toEqual(new Set(['From $12']))
})

test('while nothing of a book can be bought, one can wait for it where the shop sends mail; a pre-order is bought', async () => {
  const own = await publishedBook({ ...sampleBook, title: 'My Own Book', product: '' }, true)
  const soon = { ...product, is_available_soon: true as const }
  const release = { on: '2027-03-01', is_partial: false }
  const home = async (shown: Product, sendsMail: boolean, key?: string) => {
    const had_key = key !== undefined
    const site = { products: [shown], calls: 0, book: own, sendsMail, had_key }
    return (await openSite(site, undefined, key)).text('/')
  }
  const linksOf = (html: string) =>
    [...html.matchAll(new RegExp(`href="/tell-me/${product.id}"`, 'g'))].length
  for (const shown of [soon, { ...soon, release }]) {
    const html = await home(shown, true)
    // In the hero and on the card; in the bar it stands inside a template.
    expect(linksOf(html)).toBe(3)
    expect(html).not.toContain('action="/buy/')
    expect(headingsOf(html)).toContain('Formats and prices')
    expect(html).not.toMatch(/(Get Your|Order Your) Copy Today/)
  }
  const silent = await home(soon, false)
  expect(linksOf(silent)).toBe(0)
  expect(silent).not.toMatch(/>(Get the Book|Instant download|Nothing to ship)/)
  const lost = ''
  expect(linksOf(await home(soon, true, lost))).toBe(0)
  expect(linksOf(await home({ ...soon, release }, true, lost))).toBe(1)
  const preorder = await home({ ...product, release }, true, 'sk_test_x')
  expect(preorder).toContain(`action="/buy/${product.id}"`)
  expect(linksOf(preorder)).toBe(1)
})

test('scripts are fetched after what the page is painted with', async () => {
  const { text } = await unchangingSite()
  for (const path of ['/account', '/dashboard/receipts/7', '/admin/users']) {
    const page = await text(path)
    expect(page).toContain('<script type="module" async="">')
    expect(page).toMatch(/<link rel="modulepreload" fetchPriority="low" href="\/assets\/entry\.client-/)
    expect(page).not.toContain('<link rel="modulepreload" href')
  }
})

test('the code of the admin area is loaded there alone', async () => {
  const { text } = await unchangingSite()
  const paths = pagePaths(await loadFronts())
  const areAdmin = Map.groupBy(paths, (path) => path.startsWith('/admin'))
  const loads = async (path: string) => /assets\/admin-/.test(await text(path.replace(':id', '7')))
  expect(await Promise.all(areAdmin.get(true)!.map(loads))).not.toContain(false)
  for (const path of areAdmin.get(false)!) expect(await loads(path), path).toBe(false)
})

test('the cover of the hero is fetched first, although the header shows its file before', async () => {
  const cover = { id: '01900000-0000-7000-8000-000000000001', width: 1600, height: 2400, alt: '' }
  const book = await publishedBook({ ...sampleBook, cover })
  const page = await (await openSite({ products: [product], calls: 0, book })).text('/')
  const [, preload] = /(<link rel="preload" as="image"[^>]*>)/.exec(page)!
  expect(preload).toMatch(/fetchPriority="high" imageSrcSet="\/pictures\/[^"]+\/320\.webp 320w,/)
  expect(page.indexOf(preload!)).toBeLessThan(page.indexOf('<body'))
  expect(page.match(/rel="preload" as="image"/g)).toHaveLength(1)
})

test('a page of the site loads no script but what follows its scrolling, and its islands do without the router and zod', async () => {
  const { text } = await unchangingSite()
  for (const path of ['/', '/preview', '/nowhere']) {
    const page = await text(path)
    expect(page).not.toContain('rel="modulepreload"')
    for (const [, script] of page.matchAll(/<script[^>]* src="([^"]+)"/g))
      expect(script).toMatch(/^\/assets\/bars\.island-/)
    const files = new Set(page.match(/\/assets\/[^"' ]+\.js/g))
    expect(files.size).toBeGreaterThan(3)
    for (const file of files) expect(await text(file), file).not.toMatch(/_zod|__reactRouter/)
  }
})
