// How the admin area says what was sold.
import { expect, test } from 'vitest'
import { allInWords } from './sold-in-words.ts'

const say = (sold: number, free: number, tests: number, isGivenAway = false) =>
  allInWords({ sold, free, tests }, { isGivenAway })

test('what was sold stands first, and free copies and test orders beside it', () => {
  expect(say(1200, 0, 0)).toBe('1,200 sold')
  expect(say(12, 19, 1)).toBe('12 sold · 19 free copies given · 1 test order')
  expect(say(0, 1, 2)).toBe('0 sold · 1 free copy given · 2 test orders')
})

test('what is given away counts free copies, and what it has sold before is still said', () => {
  expect(say(0, 19, 0, true)).toBe('19 free copies')
  expect(say(0, 1, 3, true)).toBe('1 free copy · 3 test orders')
  expect(say(2, 19, 0, true)).toBe('2 sold · 19 free copies given')
})
