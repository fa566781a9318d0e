// How the admin area says what changed.
import { expect, test } from 'vitest'
import { formatMoney } from '#contract/money.ts'
import { axisName, daysBefore, stepName } from './period-names.ts'
import { averageOrder, inPercent, share } from './ratios.ts'
import { change } from './chart.tsx'

const say = (revenue: number, earlier: number, days = 30) =>
  change({ total: { revenue }, before: { revenue: earlier, name: daysBefore(days) } }, (amount) =>
    formatMoney(amount, 'usd'),
  )

test('a change is said against the period before, and only where there was one', () => {
  expect(say(112, 100)).toBe('+12% against the 30 days before ($100.00)')
  expect(say(50, 100)).toBe('−50% against the 30 days before ($100.00)')
  expect(say(100, 100, 1)).toBe('±0% against the day before ($100.00)')
  expect(say(31_000, 2, 1_200)).toBe('+1,549,900% against the 1,200 days before ($2.00)')
  expect(say(12, 0)).toBe('Nothing was earned in the 30 days before')
  // More was given back than came in: no percentage of that means anything.
  expect(say(12, -5)).toBe('Nothing was earned in the 30 days before')
})

test('a step is named by its first day, wherever the user is', () => {
  expect(stepName('2026-11-02', 'day')).toBe('Nov 02')
  expect(stepName('2026-11-02', 'week')).toBe('Week of Nov 02')
  expect(stepName('2026-11-01', 'month')).toBe('Nov 2026')
})

test('the year is named where steps are of several, and days under the axis stand alone', () => {
  expect(stepName('2026-11-02', 'day', true)).toBe('Nov 02, 2026')
  expect(axisName('2026-11-02', 'week', false)).toBe('Nov 02')
  expect(axisName('2026-11-02', 'week', true)).toBe('Nov 2026')
})

test('a share or an average of nothing is a dash, not a number', () => {
  expect([inPercent(share(1, 3)), inPercent(share(0, 5)), inPercent(share(5, 0))]).toEqual([
    '33.3%',
    '0%',
    '–',
  ])
  expect([averageOrder({ gross: 30, paid: 4 }), averageOrder({ gross: 0, paid: 0 })]).toEqual([7.5, null])
})
