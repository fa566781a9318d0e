import { expect, test } from 'vitest'
import { nextPath } from './next-path.ts'
import { chosenIn, chosenPath, codeIn } from './chosen-product.ts'

test('a chosen product survives its way through the sign-in', () => {
  const search = `?next=${encodeURIComponent(chosenPath('0198-a&b#c'))}`
  expect(chosenIn(nextPath(search))).toBe('0198-a&b#c')
  expect(codeIn(nextPath(search))).toBeUndefined()
})

test('so does the code that lowers its price', () => {
  const search = `?next=${encodeURIComponent(chosenPath('0198', 'A&B'))}`
  expect(codeIn(nextPath(search))).toBe('A&B')
})

test('a path that names no product wants none', () => {
  for (const path of ['/', '/#book-sales', '/dashboard', '//', 'http://']) {
    expect(chosenIn(path), path).toBeUndefined()
  }
})
