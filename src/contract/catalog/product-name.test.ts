import { expect, test } from 'vitest'
import type { Format } from './formats.ts'
import { isOtherTitle, namesFormat, nameWithoutFormat } from './product-name.ts'

test('a name has its format in it where the setup has written it there', () => {
  expect(namesFormat({ name: 'The Salt Garden (Bundle)', format: 'bundle' })).toBe(true)
  expect(namesFormat({ name: 'The Salt Garden (Bundle)', format: 'digital' })).toBe(false)
  expect(namesFormat({ name: 'The Salt Garden', format: 'bundle' })).toBe(false)
})

test('a name beside its format loses the format that the setup has written there', () => {
  expect(nameWithoutFormat({ name: 'The Salt Garden (Paperback)', format: 'paperback' })).toBe(
    'The Salt Garden',
  )
  expect(nameWithoutFormat({ name: 'The Salt Garden (Signed)', format: 'paperback' })).toBe(
    'The Salt Garden (Signed)',
  )
})

test('another title is what is not called as the book, and no bundle', () => {
  const isOther = (name: string, format: Format = 'digital') =>
    isOtherTitle({ name, format }, 'The Salt Garden')
  expect([isOther('The salt garden'), isOther('The Salt Garden (Signed)')]).toEqual([false, false])
  expect([isOther('Study Guide'), isOther('All together', 'bundle')]).toEqual([true, false])
})
