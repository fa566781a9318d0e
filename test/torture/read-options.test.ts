// What `npm run torture` says to options that it does not know.
import { expect, test } from 'vitest'
import { scenarioNames } from './list-scenarios.ts'
import { readOptions } from './read-options.ts'

const names = ['kill-server', 'day']

test('options are read, and several scenarios may be named', () => {
  const options = readOptions(['--only', 'day', '--only=kill-server', '--rounds', '3', '--seed', '7'], names)
  expect(options).toEqual({ only: ['day', 'kill-server'], rounds: 3, seed: 7, help: false })
  expect(readOptions(['--help'], names)).toEqual({ help: true })
})

test.each([
  [['--onyl', 'day'], /^Unknown option '--onyl'/],
  [['day'], /^Unexpected argument 'day'/],
  [['--only', 'night'], /^There is no scenario night\./],
  [['--rounds', 'many'], /^--rounds /],
  [['--buyers', '0'], /^--buyers must be at least 1\./],
])('%j is refused with the options and the scenarios', (args, reason) => {
  expect(() => readOptions(args, names)).toThrow(reason)
  expect(() => readOptions(args, names)).toThrow(/--only SCENARIO.*kill-server, day$/s)
})

test('every scenario has a name', () => {
  expect(scenarioNames()).toContain('backup-large')
})
