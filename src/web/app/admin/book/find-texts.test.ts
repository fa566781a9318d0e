import { expect, test } from 'vitest'
import { catalogue } from '#words/catalogue.ts'
import { findTexts, placeNames, placeOf } from './texts-part.tsx'

const find = (query: string, given: Partial<Parameters<typeof findTexts>[0]> = {}) =>
  findTexts({ standards: catalogue, query, place: '', changed: {}, isChangedOnly: false, ...given })

test('every text has a place with a name', () => {
  const places = new Set(Array.from(catalogue.keys(), placeOf))
  expect([...places].toSorted()).toEqual(Object.keys(placeNames).toSorted())
})

test('a text is found by what one sees, without regard to case, accents and quotation marks', () => {
  expect(find('order your copy TODAY')[0]).toBe('home.order')
  expect(find("couldn't load")).toContain('home.loadFailed')
  expect(find('Zahle jetzt', { changed: { 'home.buy': 'Zähle  jetzt' } })).toEqual(['home.buy'])
  expect(find('xylophone quartet')).toEqual([])
})

test('what stands in the place of a placeholder may be typed', () => {
  expect(find('5 out of 5 stars')).toContain('home.rating')
  expect(find('Buy The Long Road')).toContain('guest.title')
})

test('one page, or the changed texts, are listed alone', () => {
  expect(find('', { place: 'notFound' }).every((key) => key.startsWith('notFound.'))).toBe(true)
  expect(find('', { changed: { 'home.buy': 'Get it' }, isChangedOnly: true })).toEqual(['home.buy'])
  expect(find('').length).toBe(catalogue.size)
})
