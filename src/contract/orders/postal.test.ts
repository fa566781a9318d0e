import { expect, test } from 'vitest'
import { addressLines, trackingUrl } from './postal.ts'

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
  for (const [carrier, number] of [
    ['The Pony Express', '1'],
    ['UPS', null],
    [null, '1'],
    ['', ''],
  ] as const)
    expect(trackingUrl(carrier, number)).toBeUndefined()
})
