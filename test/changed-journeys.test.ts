// The journeys that a change of a file leads to.
import { expect, test } from 'vitest'
import { chooseJourneys, routeOf } from './changed-journeys.ts'

const journey = (title: string, ...routes: string[]) => ({ file: `e2e/${title}.test.ts`, title, routes })

const journeys = [
  journey('overview', '/admin', '/admin/sales', '/admin/users', '/dashboard'),
  journey('sales', '/admin', '/admin/sales'),
  journey('withdrawing', '/', '/withdraw'),
  journey('terms', '/', '/terms'),
]

function chosen(...changed: string[]): string[] {
  return chooseJourneys(changed, journeys).chosen.map(({ title }) => title)
}

test('an address is a route of the app, or the first part of one of the site', () => {
  expect(routeOf('/admin/purchases/6a1f/evidence')).toBe('/admin/purchases/:id/evidence')
  expect(routeOf('/admin/products/new')).toBe('/admin/products/new')
  expect(routeOf('/admin')).toBe('/admin')
  expect(routeOf('/purchase/6a1f')).toBe('/purchase')
  expect(routeOf('/')).toBe('/')
})

test('a screen, and what it imports of the web, lead to the journeys that open it, the narrowest first', () => {
  expect(chosen('src/web/app/admin/sales/sales.tsx')).toEqual(['sales', 'overview'])
  expect(chosen('src/web/app/admin/sales/chart.tsx')).toEqual(['sales', 'overview'])
  expect(chosen('src/web/site/withdraw/withdraw.island.tsx')).toEqual(['withdrawing'])
  expect(chosen('src/web/site/legal/legal.tsx')).toEqual(['terms'])
  expect(chosen('src/web/components/button.tsx')).toHaveLength(4)
})

test('a file of the server leads to none, a journey to itself', () => {
  expect(chosen('src/domains/orders/purchases.ts')).toEqual([])
  expect(chosen('e2e/withdrawing.test.ts')).toEqual(['withdrawing'])
})

test('of many that open a changed screen six are chosen, and the others named', () => {
  const many = Array.from({ length: 10 }, (_, n) => journey(`sales ${n}`, '/admin/sales'))
  const { chosen, left, untouched } = chooseJourneys(
    ['src/web/app/admin/sales/sales.tsx'],
    [...many, journey('other', '/')],
  )
  expect([chosen.length, left.length, untouched.length]).toEqual([6, 4, 1])
})
