import { expect, test } from 'vitest'
import { loadWording, withTexts } from '#words/wording.ts'
import {
  addressLines,
  carriersFor,
  countryName,
  firstThenByName,
  trackingUrl,
  usStateCode,
  usStates,
} from './postal.ts'
import { countriesByName } from './countries.ts'
import { address } from './shipments.ts'
import { isFree, isOnePrice, shippingPrice, shippingRange } from './prices.ts'
import { formatOrderNumber, parseOrderNumber } from './order-number.ts'

const none = { name: '', line1: '', line2: '', city: '', state: '', postal_code: '', country: '', phone: '' }

test('an address is written as the post of its country wants it', () => {
  const us = { ...none, name: 'Ruth', line1: '7 Barley Road', city: 'Portland', state: 'OR', country: 'US' }
  expect(addressLines({ ...us, postal_code: '97201' })).toEqual([
    'Ruth',
    '7 Barley Road',
    'Portland, OR 97201',
    'United States',
  ])
  const de = {
    ...none,
    name: 'Rut',
    line1: 'Gerstenweg 7',
    city: 'Berlin',
    postal_code: '10115',
    country: 'DE',
  }
  expect(addressLines(de).slice(2)).toEqual(['10115 Berlin', 'Germany'])
  const gb = {
    ...none,
    name: 'Ruth',
    line1: '7 Barley Rd',
    city: 'York',
    postal_code: 'YO1 7HH',
    country: 'GB',
  }
  expect(addressLines(gb).slice(2)).toEqual(['York', 'YO1 7HH', 'United Kingdom'])
  // As a payment provider may give it.
  expect(
    addressLines({ ...none, name: 'Ruth', line1: 'Well Street', city: 'Bethlehem', country: '?' }),
  ).toEqual(['Ruth', 'Well Street', 'Bethlehem', '?'])
})

test('a known carrier’s parcel can be followed, whatever is typed as its number', () => {
  expect(trackingUrl('usps ', '9400 1000')).toBe(
    'https://tools.usps.com/go/TrackConfirmAction?tLabels=94001000',
  )
  expect(trackingUrl('Royal Mail', 'AB&"/<1')).toContain('#/tracking-results/AB%26%22%2F%3C1')
  expect(trackingUrl('inpost', '6200 1234')).toBe('https://inpost.pl/sledzenie-przesylek?number=62001234')
  for (const [carrier, number] of [
    ['The Pony Express', '1'],
    ['UPS', null],
    [null, '1'],
    ['', ''],
  ] as const)
    expect(trackingUrl(carrier, number)).toBeUndefined()
})

test('the carriers of a country come first, then the others in the order of the alphabet', () => {
  const everywhere = carriersFor(undefined)
  expect(everywhere).toEqual(everywhere.toSorted(new Intl.Collator('en').compare))
  expect(carriersFor('XX')).toEqual(everywhere)
  expect(carriersFor('PL').slice(0, 4)).toEqual(['InPost', 'Poczta Polska', 'Australia Post', 'Canada Post'])
  for (const country of ['AT', 'AU', 'CA', 'CH', 'DE', 'ES', 'FR', 'GB', 'IT', 'JP', 'PL', 'US'])
    expect(carriersFor(country).toSorted()).toEqual(everywhere.toSorted())
})

test('every country has a name of its own, and the list is in the order of the names', () => {
  const codes = countriesByName()
  const names = codes.map(countryName)
  for (const [n, code] of codes.entries()) expect(names[n]).not.toBe(code)
  expect(new Set(names).size).toBe(codes.length)
  expect(codes).toHaveLength(252)
  expect(names.slice(0, 3)).toEqual(['Afghanistan', 'Åland Islands', 'Albania'])
  expect(names.at(-1)).toBe('Zimbabwe')
  for (const gone of ['SU', 'DD', 'YU', 'UK', 'EU', 'UN', 'ZZ']) expect(codes).not.toContain(gone)
})

test('each state has a name and an abbreviation of its own', () => {
  expect(usStates).toHaveLength(50 + 1 + 5 + 3)
  expect(new Set(usStates.map(({ code }) => code)).size).toBe(usStates.length)
  for (const { code, name } of usStates)
    expect([code, name]).toEqual([expect.stringMatching(/^[A-Z]{2}$/), name.trim()])
})

test('a state is known by its abbreviation and by its name', () => {
  for (const state of ['OR', 'or', 'Oregon', ' oregon ']) expect(usStateCode(state)).toBe('OR')
  for (const state of ['', 'Ontario', 'ZZ', 'Ore']) expect(usStateCode(state)).toBeUndefined()
})

test('an address in the United States is in one of them; elsewhere a region is whatever is written', () => {
  const home = { name: 'Ruth', line1: '7 Barley Road', city: 'Portland', postal_code: '97201' }
  expect(address.parse({ ...home, state: 'Oregon', country: 'US' })).toMatchObject({ state: 'OR' })
  const wrong = address.safeParse({ ...home, state: 'Ontario', country: 'US' })
  expect(wrong.error?.issues).toMatchObject([{ path: ['state'], message: 'Please choose a state.' }])
  expect(address.parse({ ...home, state: 'Oregon', country: 'DE' })).toMatchObject({ state: 'Oregon' })
})

test('what cannot be a postal code of the country is refused with an example of one', () => {
  const at = (country: string, postal_code: string) =>
    address.safeParse({
      name: 'Ruth',
      line1: '7 Barley Road',
      city: 'Well',
      state: 'ON',
      country,
      postal_code,
    })
  expect(at('DE', 'ABC').error?.issues).toMatchObject([
    { path: ['postal_code'], message: 'Please check this postal code. An example (Germany): 10115' },
  ])
  for (const [country, code] of [
    ['DE', '1'],
    ['AT', '10115'],
    ['CA', '10115'],
    ['GB', '10115'],
    ['JP', '100'],
    ['PL', '0000'],
  ] as const)
    expect([country, at(country, code).success]).toEqual([country, false])
  for (const [country, code] of [
    ['DE', 'D-10115'],
    ['CA', 'k1a0b1'],
    ['GB', 'gir 0aa'],
    ['GB', 'W1A1AA'],
    ['GB', 'BFPO 57'],
    ['NL', '1012ab'],
    ['NL', '1012'],
    ['PL', '00001'],
    ['PT', '1100'],
    ['JP', '〒１００－０００１'],
    ['BR', '01310100'],
    ['IE', '1'],
    ['FR', '71250'],
    ['PL', ''],
  ] as const)
    expect([code, at(country, code).success]).toEqual([code, true])
})

test('a country has its own price, or the one of everywhere', () => {
  const prices = { price: 4.9, country_prices: { US: 0, CA: 12.5 } }
  expect(['US', 'CA', 'GB'].map((country) => shippingPrice(prices, country))).toEqual([0, 12.5, 4.9])
})

test('it is free, or has one price, by the countries that are served alone', () => {
  const rangeOf = (countries: string[], price: number, country_prices: Record<string, number> = {}) =>
    shippingRange({ countries, price, country_prices })
  expect(rangeOf(['US', 'CA', 'GB'], 4.9, { CA: 12.5 })).toEqual({ min: 4.9, max: 12.5 })
  expect(isOnePrice(rangeOf(['US', 'CA'], 4.9, { CA: 12.5 }))).toBe(false)
  expect(isOnePrice(rangeOf(['US', 'CA'], 4.9, { GB: 12.5 }))).toBe(true)
  expect(isOnePrice(rangeOf(['CA'], 4.9, { CA: 12.5 }))).toBe(true)
  expect(isFree(rangeOf(['US'], 0))).toBe(true)
  expect(isFree(rangeOf(['US'], 0, { GB: 12.5 }))).toBe(true)
  expect(isFree(rangeOf(['US'], 4.9, { US: 0 }))).toBe(true)
  expect(isFree(rangeOf(['US', 'CA'], 0, { CA: 12.5 }))).toBe(false)
})

test('an order number is written with #, and read with or without it', () => {
  expect(formatOrderNumber(1042)).toBe('#1042')
  for (const text of ['#1042', '1042', ' #1042 ']) expect(parseOrderNumber(text)).toBe(1042)
  for (const text of ['', '#', '# 1042', '10.42', '-1042', '1042a', '9999999999'])
    expect(parseOrderNumber(text)).toBeUndefined()
})

test('a buyer reads the countries in the order of their names in the language of the page', async () => {
  const inLanguage = async (language: string) =>
    withTexts(await loadWording({ language, texts: {} }), () =>
      firstThenByName(['FR', 'AT', 'CZ', 'DE', 'ES']),
    )
  expect(await inLanguage('en')).toEqual(['FR', 'AT', 'CZ', 'DE', 'ES'])
  expect(await inLanguage('fr')).toEqual(['FR', 'DE', 'AT', 'ES', 'CZ'])
  expect(firstThenByName([])).toEqual([])
})
