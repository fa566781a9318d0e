import { expect, test } from 'vitest'
import { letterSizes } from '#features/book/contract/fit-size.ts'
import { letterClasses } from './cover.tsx'

test('the drawn cover has a class for each size of letters that the server chooses', () => {
  expect(letterClasses).toEqual(letterSizes.map((size) => `text-[${size}cqi]`))
})
