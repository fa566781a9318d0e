import { expect, test } from 'vitest'
import { namesFormat } from './product-name.ts'

test('a name has its format in it where the setup has written it there', () => {
  expect(namesFormat({ name: 'The Salt Garden (Bundle)', format: 'bundle' })).toBe(true)
  expect(namesFormat({ name: 'The Salt Garden (Bundle)', format: 'digital' })).toBe(false)
  expect(namesFormat({ name: 'The Salt Garden', format: 'bundle' })).toBe(false)
})
