// Codes as people paste them.
import { expect, test } from 'vitest'
import { codeIn } from './credentials.tsx'

test('a code is found among the words that were pasted with it, and none where it is not clear which', () => {
  const pasted: [text: string, code: string | undefined][] = [
    ['057622', '057622'],
    [' 057 622 ', '057622'],
    ['057622 is your code', '057622'],
    ['Code: 057-622.', '057622'],
    ['０５７６２２', '057622'],
    ['0 5 7 6 2 2', '057622'],
    ['0-5-7-6-2-2', '057622'],
    ['٠٥٧٦٢٢', '057622'],
    ['رمزك هو ٠٥٧-٦٢٢.', '057622'],
    ['äöüäöü', undefined],
    ['057622 or 123456', undefined],
    ['0576221', undefined],
    ['no code', undefined],
  ]
  expect(pasted.map(([text]) => codeIn(text))).toEqual(pasted.map(([, code]) => code))
})
