import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { letterSizes } from '#contract/book/letter-sizes.ts'

test('the drawn cover has a class for each size of letters that is chosen', () => {
  const css = readFileSync(new URL('../book.css', import.meta.url), 'utf8')
  const found = Array.from(css.matchAll(/\.letters-(\d+) \{\s+font-size: ([\d.]+)cqi;/g), ([, at, size]) => [
    Number(at),
    Number(size),
  ])
  expect(found).toEqual(letterSizes.map((size, at) => [at, size]))
})
