import { expect, test } from 'vitest'
import { standardWording } from '#words/texts.ts'
import { withTexts } from '#words/wording.ts'
import { formatDate, formatFileSize, formatUtc } from './format.tsx'

test('a date has a short month, a day of two digits and the year', () => {
  expect(formatDate('2026-11-05T12:00:00Z')).toBe('Nov 05, 2026')
})

test.each([
  ['ja', '2026年11月5日'],
  ['de', '5. Nov. 2026'],
  ['pl', '5 lis 2026'],
])('a date in the language %s has no zero before its day', (locale, date) => {
  withTexts({ ...standardWording, locale }, () => expect(formatDate('2026-11-05T12:00:00Z')).toBe(date))
})

test('a moment in Japanese has the year, month and day in letters', () => {
  const wording = { ...standardWording, locale: 'ja' }
  expect(withTexts(wording, () => formatUtc('2026-11-05T16:07:00Z'))).toBe('2026年11月5日 16:07 UTC')
})

test('a size is in kilobytes below one megabyte, and never nothing', () => {
  expect([1, 86_016, 1_048_000, 1_048_576, 1_258_291].map(formatFileSize)).toEqual([
    '1 kB',
    '84 kB',
    '1023 kB',
    '1.0 MB',
    '1.2 MB',
  ])
  const wording = { ...standardWording, locale: 'fr' }
  expect(withTexts(wording, () => formatFileSize(86_016)).replaceAll('\u202f', '\u00a0')).toBe('84\u00a0ko')
})

test('papers name their clock', () => {
  expect(formatUtc('2026-11-05T16:07:00Z').replaceAll('\u202f', ' ')).toBe('November 5, 2026 at 4:07 PM UTC')
})
