// What is said of a product that is not out, and of a bundle that is not complete.
import { expect, test } from 'vitest'
import { comingWords } from './release-words.ts'

const on = '2027-02-15'

test('what is not out names its day, and where it is paid that it is charged today', () => {
  const coming = { release: { on, is_partial: false }, ships: true }
  expect(comingWords(coming)).toBe('Pre-order: out on February 15, 2027')
  expect(comingWords(coming, true)).toMatch(/^Pre-order: out on February 15, 2027\. Charged today;/)
})

test('of a bundle that is not complete only the files are had at once: its books on paper are one parcel', () => {
  const release = { on, is_partial: true }
  expect(comingWords({ release, ships: false }, true)).toBe(
    'Complete on February 15, 2027; what is out is yours at once',
  )
  expect(comingWords({ release, ships: true }, true)).toBe(
    'Complete on February 15, 2027: files that are out are yours at once; books on paper are posted together when the last one is out',
  )
})
