// Where the sign-in leads to.
import { expect, test } from 'vitest'
import { nextPath } from './next-path.ts'

test('a path of this site is kept, with its place on the page', () => {
  expect(nextPath('?next=%2F%23book-sales')).toBe('/#book-sales')
  expect(nextPath('?next=/dashboard')).toBe('/dashboard')
  expect(nextPath('?next=/preview%3Fa=b')).toBe('/preview?a=b')
})

test('a path is given as the browser reads it', () => {
  expect(nextPath(`?next=${encodeURIComponent('/a/../dash\tboard')}`)).toBe('/dashboard')
  expect(nextPath(`?next=${encodeURIComponent('/a\\b')}`)).toBe('/a/b')
})

test('anything that leads elsewhere is home', () => {
  const elsewhere = [
    '',
    '//evil.example',
    '/\\\\evil.example',
    '/\t/evil.example',
    '/..//evil.example',
    '/.//evil.example',
    '/a/..\\/evil.example',
    'https://evil.example',
    'javascript:alert(1)',
  ]
  for (const next of elsewhere) expect(nextPath(`?next=${encodeURIComponent(next)}`), next).toBe('/')
  expect(nextPath('')).toBe('/')
})
