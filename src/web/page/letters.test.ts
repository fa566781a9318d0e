import { expect, test } from 'vitest'
import { lettersOf } from './letters.ts'

test('a language has the letters that it is usually written in, or those of the script that its tag names', () => {
  const latin = ['en', 'pl', 'vi', 'sr-Latn', 'tr-TR', '', 'no language at all']
  const cyrillic = ['ru', 'uk-UA', 'sr', 'bg', 'uz-Cyrl']
  const other = ['ja', 'zh-TW', 'ar', 'he', 'hi', 'sr-Arab']
  expect(new Set(latin.map(lettersOf))).toEqual(new Set(['latin']))
  expect(new Set(cyrillic.map(lettersOf))).toEqual(new Set(['cyrillic']))
  expect(lettersOf('el')).toBe('greek')
  expect(new Set(other.map(lettersOf))).toEqual(new Set(['other']))
})
