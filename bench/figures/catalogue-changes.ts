// What visitors and the author notice of a change to the catalogue: how long until the new price is shown, how long the
// home page takes meanwhile, and whether adding a book is held up by the pages that show it.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { productList, type Product } from '../../src/features/products/contract/products.ts'
import { median, type Figure } from '../figure.ts'
import { load, runProgram, signIn, type Shop } from '../processes.ts'

const seconds = 6
const changeEveryMs = 500
const encoding = { 'accept-encoding': 'gzip, deflate, br' }
const book = readFileSync(new URL('../../content/edition/sample.pdf', import.meta.url))
const pages = [
  '/',
  '/preview',
  '/auth',
  '/dashboard',
  '/admin',
  '/admin/users',
  '/admin/products',
  '/nowhere',
]

export async function catalogueChanges(shop: Shop, rounds: number): Promise<Figure[]> {
  const author = await openAuthor(shop)
  const products = productList.parse(await (await fetch(`${shop.url}/api/products`)).json())
  const { ms: renderMs } = await runProgram<{ ms: number }>('render', { products })
  const visible = await timesUntilVisible(shop, author, products[0]!)
  const ratios: number[] = []
  const notes: string[] = []
  for (let round = 0; round < rounds; round += 1) {
    const visitors = { url: shop.url, connections: 50, seconds, headers: encoding }
    const quiet = await load(visitors)
    const changing = changeAgainAndAgain(author, products[0]!)
    const busy = await load(visitors)
    notes.push(`${busy.p99} against ${quiet.p99} ms, ${await changing.stop()} changes`)
    ratios.push(busy.p99 / Math.max(1, quiet.p99))
  }
  const adding = await addingBooks(shop, author)
  const round = (ms: number) => Math.round(ms * 10) / 10
  return [
    {
      name: 'New price shown, against rendering the home page once',
      bar: { atMost: 10 },
      unit: 'ratio',
      measured: visible / renderMs,
      note: `${round(visible)} against ${round(renderMs)} ms`,
    },
    {
      name: 'p99 of GET / at 50 connections with two price changes a second, against none',
      bar: { atMost: 5 },
      unit: 'ratio',
      measured: median(ratios),
      note: notes.join('; '),
    },
    {
      name: 'Adding a book right after another, against the first',
      bar: { atMost: 2 },
      unit: 'ratio',
      measured: adding.second / adding.first,
      note: `${round(adding.second)} against ${round(adding.first)} ms`,
    },
  ]
}

type Author = Awaited<ReturnType<typeof openAuthor>>

async function openAuthor(shop: Shop) {
  const token = await signIn(shop)
  async function call(method: string, path: string, body: unknown): Promise<void> {
    const response = await fetch(`${shop.url}/api/admin${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    await response.arrayBuffer()
  }
  return { token, call }
}

/** Milliseconds from the moment the author sends the new price until a visitor's browser has it. */
async function timesUntilVisible(shop: Shop, author: Author, { id }: Product): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 20; round += 1) {
    const price = 100 + round
    const since = performance.now()
    await author.call('PATCH', `/products/${id}`, { price })
    const page = await (await fetch(shop.url, { headers: encoding })).text()
    times.push(performance.now() - since)
    if (!page.includes(`$${price}.00`)) throw new Error('the page shows an old price')
    await sleep(100)
  }
  return median(times)
}

function changeAgainAndAgain(author: Author, { id }: Product) {
  const over = new AbortController()
  let changes = 0
  async function change(): Promise<void> {
    while (!over.signal.aborted) {
      await author.call('PATCH', `/products/${id}`, { price: 10 + (changes % 90) })
      changes += 1
      await sleep(changeEveryMs)
    }
  }
  const changing = change()
  return {
    async stop() {
      over.abort()
      await changing
      return changes
    },
  }
}

/** The second of two begins the moment the first is there, while the pages are made anew. */
async function addingBooks(shop: Shop, author: Author): Promise<{ first: number; second: number }> {
  // What is loaded with the first upload is not measured.
  await addBook(shop, author)
  const times: { first: number; second: number }[] = []
  for (let round = 0; round < 7; round += 1) {
    await Promise.all(pages.map(async (path) => (await fetch(shop.url + path)).arrayBuffer()))
    times.push({ first: await addBook(shop, author), second: await addBook(shop, author) })
  }
  return { first: median(times.map(({ first }) => first)), second: median(times.map(({ second }) => second)) }
}

/** Milliseconds from the file's first byte until the author is told that the book is there. */
async function addBook(shop: Shop, author: Author): Promise<number> {
  const since = performance.now()
  const authorization = `Bearer ${author.token}`
  const tus = { authorization, 'tus-resumable': '1.0.0' }
  const begun = await fetch(`${shop.url}/api/admin/uploads`, {
    method: 'POST',
    headers: {
      ...tus,
      'upload-length': String(book.byteLength),
      'upload-metadata': `filename ${Buffer.from('book.pdf').toString('base64')}`,
    },
  })
  const location = begun.headers.get('location') ?? ''
  await fetch(new URL(location, shop.url), {
    method: 'PATCH',
    headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
    body: book,
  })
  await author.call('POST', '/products', {
    name: 'A book',
    price: 9.99,
    format: 'digital',
    upload_id: location.split('/').at(-1),
  })
  return performance.now() - since
}
