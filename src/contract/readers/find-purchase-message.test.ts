// Which ends of a card the form of a search takes.
import { expect, test } from 'vitest'
import { searchProblems } from './find-purchase-message.ts'

test.each(['4242', ' 0007 ', '４２４２', ''])('the end of a card may be “%s”', (card) => {
  expect(searchProblems((name) => (name === 'card' ? card : ''))).toBeUndefined()
})

test.each(['abcd', '424', '42424', '4 24', '-424'])('the end of a card is not “%s”', (card) => {
  expect(searchProblems((name) => (name === 'card' ? card : ''))).toEqual({
    card: 'Please enter four digits.',
  })
})
