import { expect, test } from 'vitest'
import { mark } from './draft-fields.tsx'

test.each([
  ['strong', 'one two', 4, 7, 'one **two**', 6, 9],
  ['emphasis', 'one', 3, 3, 'one**', 4, 4],
  ['link', 'a page', 2, 6, 'a [page](https://)', 3, 7],
  ['list', 'one\ntwo\nthree', 1, 6, '- one\n- two\nthree', 3, 10],
  ['heading', 'one\ntwo', 4, 4, 'one\n## two', 7, 7],
  ['quotation', '', 0, 0, '> ', 2, 2],
] as const)('%s is written around %j', (wanted, text, start, end, expected, from, to) => {
  expect(mark(text, start, end, wanted)).toEqual({ text: expected, from, to })
})
