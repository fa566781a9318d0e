import { expect, test } from 'vitest'
import { countriesByName } from './countries.ts'
import { countryName } from './postal.ts'

test('every country has a name of its own, and the list is in the order of the names', () => {
  const codes = countriesByName()
  const names = codes.map(countryName)
  for (const [n, code] of codes.entries()) expect(names[n]).not.toBe(code)
  expect(new Set(names).size).toBe(codes.length)
  expect(codes).toHaveLength(252)
  expect(names.slice(0, 3)).toEqual(['Afghanistan', 'Åland Islands', 'Albania'])
  expect(names.at(-1)).toBe('Zimbabwe')
  for (const gone of ['SU', 'DD', 'YU', 'UK', 'EU', 'UN', 'ZZ']) expect(codes).not.toContain(gone)
})
