// When a clock is trusted to say what is old.
import { expect, test } from 'vitest'
import { dayMs, hourMs } from '#contract/durations.ts'
import { watchClock } from './clock-watch.ts'

/** All clocks in milliseconds. */
function openClocks() {
  const clocks = { shop: 1_000_000, database: 1_000_000, passed: 0 }
  const pool = { query: async () => ({ rows: [{ ms: clocks.database }] }) }
  const find = watchClock({ clock: () => new Date(clocks.shop), database: { pool } }, () => clocks.passed)
  const pass = (ms: number) => {
    for (const name of ['shop', 'database', 'passed'] as const) clocks[name] += ms
  }
  return { clocks, pass, find }
}

test('an hour that passes on every clock is no jump, nor are some seconds between machines', async () => {
  const { clocks, pass, find } = openClocks()
  pass(hourMs)
  clocks.database += 60_000
  expect(await find()).toBe(0)
})

test.each([hourMs, -hourMs, 31 * dayMs])(
  'a jump of %i ms is found once, when the clock of the database jumps with it',
  async (jump) => {
    const { clocks, pass, find } = openClocks()
    pass(hourMs)
    clocks.shop += jump
    clocks.database += jump
    expect(await find()).toBe(jump)
    pass(hourMs)
    expect(await find()).toBe(0)
  },
)

test('a clock that differs from that of the database is found as long as it does', async () => {
  const { clocks, pass, find } = openClocks()
  clocks.shop += hourMs
  await find()
  pass(hourMs)
  expect(await find()).toBe(hourMs)
  clocks.shop -= hourMs
  await find()
  expect(await find()).toBe(0)
})
