// What a bundle holds, in words.
import { expect, test } from 'vitest'
import { formatFormats } from './formats.ts'

test('the formats of a bundle are told as a list, and none are nothing', () => {
  expect(formatFormats(['digital', 'paperback', 'hardcover'])).toBe('Digital, paperback and hardcover')
  expect(formatFormats(['digital', 'paperback'])).toBe('Digital and paperback')
  expect(formatFormats(['hardcover'])).toBe('Hardcover')
  expect(formatFormats([])).toBe('')
})
