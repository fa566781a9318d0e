import { expect, test } from 'vitest'
import type { AdminProduct } from '#contract/catalog/products.ts'
import { aboutRelease } from './save-question.tsx'

const preorder = { preorders: 1, awaited_by: 0, is_owned: true, release_gap: null } as AdminProduct

test('the question before a release says what stops, who gets an email, and what cannot be undone', () => {
  expect(aboutRelease(preorder, null)).toBe(
    'It is out at once, and an email goes to one reader. It cannot become a pre-order again.',
  )
  expect(aboutRelease({ ...preorder, release_gap: 'no_file' }, null)).toBe(
    'It is not sold until nothing is missing, and then an email goes to one reader. It cannot become a pre-order again.',
  )
  const awaited = { ...preorder, preorders: 0, awaited_by: 2, is_owned: false }
  expect(aboutRelease(awaited, null)).toBe('It is out at once, and an email goes to 2 readers.')
  expect(aboutRelease({ ...awaited, awaited_by: 0 }, null)).toBe(false)
})
