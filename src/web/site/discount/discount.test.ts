// Which code is entered, which one stays, and for which products it counts.
import { afterEach, expect, test, vi } from 'vitest'
import { codesToEnter, discountFor } from './entered-discount.ts'
import { dropCode } from './enter-discount.ts'

afterEach(() => vi.unstubAllGlobals())

function openTab(search: string, kept?: string) {
  const items = new Map(kept ? [['discount-code', kept]] : [])
  const location = { search, pathname: '/', hash: '#book-sales' }
  vi.stubGlobal('location', location)
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => items.get(name) ?? null,
    removeItem: (name: string) => items.delete(name),
  })
  vi.stubGlobal('history', {
    state: null,
    replaceState: (_state: unknown, _title: string, url: string) => {
      location.search = new URL(url, 'https://shop.example').search
    },
  })
  return location
}

test('a code that the shop refuses is forgotten, and the other one stays', () => {
  const location = openTab('?code=old&product=a', 'NEW')
  expect(codesToEnter()).toEqual(['old', 'NEW'])
  dropCode('OLD')
  expect([codesToEnter(), location.search]).toEqual([['NEW'], '?product=a'])
  dropCode('new')
  expect(codesToEnter()).toEqual([])
})

test('a code counts for what it makes cheaper', () => {
  const [free, book] = [
    { id: 'a', price: 0 },
    { id: 'b', price: 10 },
  ]
  const every = { code: 'EVERY', percent: 50, amount_off: null, product_id: null, former_prices: {} }
  const other = { ...every, product_id: 'c' }
  expect([free, book].map((each) => discountFor(each, every, 'usd')?.code)).toEqual([undefined, 'EVERY'])
  expect(discountFor(book, other, 'usd')).toBeUndefined()
})
