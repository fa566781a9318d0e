import { expect, test } from 'vitest'
import { address } from './shipments.ts'
import { usStateCode, usStates } from './us-states.ts'

test('each state has a name and an abbreviation of its own', () => {
  expect(usStates).toHaveLength(50 + 1 + 5 + 3)
  expect(new Set(usStates.map(({ code }) => code)).size).toBe(usStates.length)
  for (const { code, name } of usStates)
    expect([code, name]).toEqual([expect.stringMatching(/^[A-Z]{2}$/), name.trim()])
})

test('a state is known by its abbreviation and by its name', () => {
  for (const state of ['OR', 'or', 'Oregon', ' oregon ']) expect(usStateCode(state)).toBe('OR')
  for (const state of ['', 'Ontario', 'ZZ', 'Ore']) expect(usStateCode(state)).toBeUndefined()
})

test('an address in the United States is in one of them; elsewhere a region is whatever is written', () => {
  const home = { name: 'Ruth', line1: '7 Barley Road', city: 'Portland', postal_code: '97201' }
  expect(address.parse({ ...home, state: 'Oregon', country: 'US' })).toMatchObject({ state: 'OR' })
  const wrong = address.safeParse({ ...home, state: 'Ontario', country: 'US' })
  expect(wrong.error?.issues).toMatchObject([{ path: ['state'], message: 'Please choose a state.' }])
  expect(address.parse({ ...home, state: 'Oregon', country: 'DE' })).toMatchObject({ state: 'Oregon' })
})
