import { expect, test } from 'vitest'
import { allRefusals } from '#contract/refusals.ts'
import {
  beginPurchase,
  endIfDecided,
  endPurchase,
  isUnanswered,
  saveAddress,
  saveDestination,
  storedAddress,
  storedDestination,
} from './purchase-key.ts'

function openStorage() {
  const items = new Map<string, string>()
  return {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  }
}

const intent = { user_id: 'buyer', product_id: 'digital' }

test('an intent keeps its key over clicks, retries and reloads, until the purchase has a response', () => {
  const keys = openStorage()
  const key = beginPurchase(intent, keys)
  expect(beginPurchase(intent, keys)).toBe(key)
  expect(isUnanswered(intent, keys)).toBe(true)
  endPurchase(intent, keys)
  expect(isUnanswered(intent, keys)).toBe(false)
  expect(beginPurchase(intent, keys)).not.toBe(key)
})

test('another buyer, or another product, is another intent', () => {
  const keys = openStorage()
  const key = beginPurchase(intent, keys)
  expect(beginPurchase({ ...intent, user_id: 'other' }, keys)).not.toBe(key)
  expect(beginPurchase({ ...intent, product_id: 'bundle' }, keys)).not.toBe(key)
  expect(isUnanswered({ ...intent, product_id: 'paperback' }, keys)).toBe(false)
})

test('the address goes along with each retry, and is forgotten with the response', () => {
  const keys = openStorage()
  const address = {
    name: 'Ruth',
    line1: '7 Barley Road',
    line2: '',
    city: 'Portland',
    state: 'OR',
    postal_code: '97201',
    country: 'US',
    phone: '',
  }
  saveAddress(intent, address, keys)
  expect(storedAddress(intent, keys)).toBeUndefined()
  beginPurchase(intent, keys)
  expect(storedAddress(intent, keys)).toEqual(address)
  expect(storedAddress({ ...intent, user_id: 'other' }, keys)).toBeUndefined()
  endPurchase(intent, keys)
  beginPurchase(intent, keys)
  expect(storedAddress(intent, keys)).toBeUndefined()
})

test('so do the country and the price of shipping that the buyer was told', () => {
  const keys = openStorage()
  saveDestination(intent, { country: 'CA', shipping: 12.5 }, keys)
  expect(storedDestination(intent, keys)).toBeUndefined()
  beginPurchase(intent, keys)
  expect(storedDestination(intent, keys)).toEqual({ country: 'CA', shipping: 12.5 })
  endPurchase(intent, keys)
  beginPurchase(intent, keys)
  expect(storedDestination(intent, keys)).toBeUndefined()
})

test('of all refusals only those let go of the key that say it has bought nothing', () => {
  const isStoredAfter = (code: string) => {
    const keys = openStorage()
    const key = beginPurchase(intent, keys)
    endIfDecided(intent, code, keys)
    return beginPurchase(intent, keys) === key
  }
  expect(
    Object.keys(allRefusals)
      .filter((code) => !isStoredAfter(code))
      .toSorted(),
  ).toEqual([
    'discounts.not_valid',
    'discounts.other_product',
    'discounts.too_small',
    'discounts.used_up',
    'payments.refused',
    'products.not_found',
    'purchases.address_needed',
    'purchases.checkout_ended',
    'purchases.consent_needed',
    'purchases.key_reused',
    'purchases.seller_changed',
    'shipments.country_needed',
    'shipments.country_not_served',
    'shipments.price_changed',
    'stock.sold_out',
  ])
})
