import { expect, test } from 'vitest'
import { fill } from './fill.ts'

test('each placeholder is filled, every time it stands in the text', () => {
  expect(fill('{name} has {count}: {name}.', { name: 'Ada', count: 2 })).toBe('Ada has 2: Ada.')
  expect(fill('{name}', { name: '{count} $&' })).toBe('{count} $&')
})

test('the compiler refuses a placeholder that is missing, and one that is not in the text', () => {
  // @ts-expect-error -- `name` is missing
  expect(fill('Hello {name}', {})).toBe('Hello undefined')
  // @ts-expect-error -- `other` is not in the text
  expect(fill('Hello {name}', { name: 'Ada', other: 'x' })).toBe('Hello Ada')
})
