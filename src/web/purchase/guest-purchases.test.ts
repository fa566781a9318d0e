import { expect, test } from 'vitest'
import { minuteMs } from '#contract/durations.ts'
import {
  beginGuestPurchase,
  dropEntry,
  findEntry,
  findUnpaid,
  listEntries,
  saveEntry,
} from './guest-purchases.ts'

function memory() {
  const map = new Map<string, string>()
  return {
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, value: string) => void map.set(key, value),
  }
}

test('each product has one proof until its purchase is paid, whatever the address', () => {
  const keys = memory()
  const first = beginGuestPurchase({ product_id: 'a', email: 'ruth@example.com' }, keys)
  expect(first.proof).toMatch(/^[\w-]{43}$/)
  expect(beginGuestPurchase({ product_id: 'a', email: 'corrected@example.com' }, keys).proof).toBe(
    first.proof,
  )
  expect(findUnpaid('a', keys)?.email).toBe('corrected@example.com')
  expect(beginGuestPurchase({ product_id: 'b', email: 'ruth@example.com' }, keys).proof).not.toBe(first.proof)
  const ends_at = new Date(Date.now() + minuteMs).toISOString()
  saveEntry({ ...first, purchase_id: 'one', ends_at }, keys)
  expect(findUnpaid('a', keys)).toBeUndefined()
  expect(findEntry('one', keys)?.proof).toBe(first.proof)
  // The form of a page that was not loaded again has the key of the paid one.
  const again = { product_id: 'a', email: 'ruth@example.com', key: first.proof }
  expect(beginGuestPurchase(again, keys).proof).not.toBe(first.proof)
})

test('the newest is listed first, whatever is learned of it later', () => {
  const keys = memory()
  const buy = (product_id: string) => {
    const begun = beginGuestPurchase({ product_id, email: 'ruth@example.com' }, keys)
    const entry = { ...begun, purchase_id: product_id }
    saveEntry(entry, keys)
    return entry
  }
  const [older, newer] = [buy('a'), buy('b')]
  for (const entry of [newer, older]) saveEntry({ ...entry, ends_at: new Date().toISOString() }, keys)
  expect(listEntries(keys).map(({ purchase_id }) => purchase_id)).toEqual(['b', 'a'])
})

test('what has ended is found, as it may be given back; what was dropped or changed by hand is not', () => {
  const keys = memory()
  const entry = beginGuestPurchase({ product_id: 'a', email: 'ruth@example.com' }, keys)
  const past = new Date(Date.now() - 1).toISOString()
  saveEntry({ ...entry, purchase_id: 'one', ends_at: past }, keys)
  expect(findEntry('one', keys)).toBeDefined()
  expect(findUnpaid('a', keys)).toBeUndefined()
  dropEntry(entry, keys)
  expect(findEntry('one', keys)).toBeUndefined()
  for (const broken of ['{"a":1}', '[1,null,{"proof":7}]', 'no json']) {
    keys.setItem('guest-purchases', broken)
    expect(findUnpaid('a', keys)).toBeUndefined()
  }
})
