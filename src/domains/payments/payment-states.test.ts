import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { hourMs } from '#contract/durations.ts'
import type { Checkout } from '#platform/stripe/payments.ts'
import {
  findHoldReason,
  ownEventOf,
  providerEventOf,
  stateOf,
  statusAfterAdjustments,
  stepAfter,
  type PaymentEvent,
  type PaymentState,
} from './payment-states.ts'

// Complete by their types: the page has to name every state and every event.
const states: Record<PaymentState, true> = {
  unopened: true,
  open: true,
  canceled: true,
  held: true,
  dismissed: true,
  completed: true,
  partially_refunded: true,
  refunded: true,
  disputed: true,
}
const events: Record<PaymentEvent, true> = {
  open: true,
  waiting: true,
  paid: true,
  returned: true,
  mismatch: true,
  mismatch_returned: true,
  ended: true,
  unknown: true,
  unknown_test: true,
  not_opened_yet: true,
  never_opened: true,
  other_key: true,
  test_left: true,
  too_old: true,
  check: true,
  accept: true,
  give_back: true,
  dismiss: true,
}

const page = readFileSync(new URL('../../../docs/payments.md', import.meta.url), 'utf8')
const table = (page.split('<!-- steps -->')[1] ?? '')
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) => line.split('|').slice(1, -1))
const [header = [], , ...rows] = table.map((cells) => cells.map((cell) => cell.trim().replaceAll('`', '')))
const columns = header.slice(1).map((cell) => cell.split(', '))

test('the table in docs/payments.md has every state and every event once', () => {
  expect(columns.flat().toSorted()).toEqual(Object.keys(states).toSorted())
  expect(rows.map(([event]) => event ?? '').toSorted()).toEqual(Object.keys(events).toSorted())
})

test.each(rows)('docs/payments.md says what %s does in each state', (event, ...steps) => {
  const found = columns.map((column) =>
    column.map((state) => stepAfter(state as PaymentState, event as PaymentEvent) ?? 'not allowed'),
  )
  expect(found).toEqual(columns.map((column, index) => column.map(() => steps[index])))
})

test('the state follows from the stored purchase and checkout', () => {
  const nothing = { session_id: null, held_reason: null, dismissed_at: null }
  const opened = { ...nothing, session_id: 'cs_1' }
  const held = { ...opened, held_reason: 'The payment is for another product.' }
  expect(stateOf({ ...nothing, status: 'pending' })).toBe('unopened')
  expect(stateOf({ ...opened, status: 'pending' })).toBe('open')
  expect(stateOf({ ...opened, status: 'canceled' })).toBe('canceled')
  expect(stateOf({ ...held, status: 'pending' })).toBe('held')
  expect(stateOf({ ...held, status: 'canceled' })).toBe('held')
  expect(stateOf({ ...held, dismissed_at: new Date(), status: 'canceled' })).toBe('dismissed')
  expect(stateOf({ ...held, dismissed_at: new Date(), status: 'disputed' })).toBe('disputed')
})

test('a checkout that the provider cannot be asked about ends after 25 hours, or at once when it was a test', () => {
  const created_at = new Date('2026-03-01T00:00:00Z')
  const after = (hours: number) => new Date(created_at.getTime() + hours * hourMs)
  const record = {
    status: 'pending' as const,
    is_live: true,
    session_id: null,
    created_at,
    is_reserving: false,
  }
  expect(ownEventOf(record, true, after(24))).toBe('not_opened_yet')
  expect(ownEventOf(record, true, after(25))).toBe('never_opened')
  expect(ownEventOf({ ...record, status: 'completed' }, true, after(25))).toBe('not_opened_yet')
  expect(ownEventOf({ ...record, session_id: 'cs_1' }, true, after(25))).toBeUndefined()
  expect(ownEventOf(record, false, after(1))).toBe('other_key')
  expect(ownEventOf({ ...record, is_live: false }, true, after(1))).toBe('test_left')
  expect(ownEventOf({ ...record, is_live: false, status: 'canceled' }, true, after(1))).toBe('other_key')
})

const record = {
  id: 'a',
  product_id: 'b',
  amount: 1999n,
  seller: 'author' as const,
  shipping: null,
  shop_currency: 'usd',
  is_live: true,
  held_reason: null,
}
const paid: Checkout = {
  session_id: 'cs_1',
  shop_id: null,
  code: null,
  status: 'paid',
  url: null,
  purchase_id: 'a',
  order: '#1001',
  buyer: null,
  consent: null,
  sold_by: 'author',
  presented: null,
  created_at: new Date(0),
  product_id: 'b',
  currency: 'usd',
  subtotal: 1999n,
  shipping: null,
  total: 1999n,
  tax: 0n,
  discount: 0n,
  payment_intent: 'pi_1',
  invoice_url: null,
  awaits_invoice: false,
  address: undefined,
  payer_name: null,
  payer_country: null,
  reportedAdjustments: [],
  answer_by: null,
  disputed_at: null,
  dispute_status: null,
}
const refund = {
  external_id: 're_1',
  kind: 'refund' as const,
  amount: 1999n,
  currency: 'usd',
  created_at: new Date(),
  key: null,
  isReversed: false,
  isOpen: false,
  failure: null,
}

test('a payment fits in the currency of the shop, for this purchase, its product and its price', () => {
  expect(providerEventOf(record, paid)).toBe('paid')
  expect(providerEventOf(record, { ...paid, total: 999n, discount: 1000n })).toBe('paid')
  expect(providerEventOf(record, { ...paid, purchase_id: null })).toBe('mismatch')
  expect(providerEventOf(record, { ...paid, product_id: 'c' })).toBe('mismatch')
  expect(providerEventOf(record, { ...paid, currency: 'eur' })).toBe('mismatch')
  expect(providerEventOf(record, { ...paid, subtotal: 1998n })).toBe('mismatch')
  expect(providerEventOf({ ...record, shop_currency: 'eur' }, { ...paid, currency: 'eur' })).toBe('paid')
  const sent = { ...record, amount: 2489n, shipping: 490n }
  expect(providerEventOf(sent, { ...paid, shipping: 490n, total: 2489n })).toBe('paid')
  expect(providerEventOf(sent, { ...paid, subtotal: 2489n })).toBe('mismatch')
  expect(providerEventOf(record, { ...paid, shipping: 490n })).toBe('mismatch')
  expect(providerEventOf(record, { ...paid, shipping: 0n })).toBe('paid')
  const mismatch = { ...paid, currency: 'eur' }
  expect(providerEventOf(record, { ...mismatch, reportedAdjustments: [refund] })).toBe('mismatch_returned')
  expect(providerEventOf(record, { ...mismatch, reportedAdjustments: [{ ...refund, amount: 500n }] })).toBe(
    'mismatch',
  )
  expect(
    providerEventOf(record, { ...mismatch, reportedAdjustments: [{ ...refund, isReversed: true }] }),
  ).toBe('mismatch')
  expect(providerEventOf(record, { ...paid, status: 'ended' })).toBe('ended')
  expect(providerEventOf(record, undefined)).toBe('unknown')
  expect(providerEventOf({ ...record, is_live: false }, undefined)).toBe('unknown_test')
})

test('a payment that fits is returned once its money is back by refunds or a lost dispute, and held while one is open', () => {
  const after = (...reportedAdjustments: Checkout['reportedAdjustments']) =>
    providerEventOf(record, { ...paid, reportedAdjustments })
  const dispute = { ...refund, kind: 'dispute' as const }
  expect(after({ ...refund, amount: 500n })).toBe('paid')
  expect(after(refund)).toBe('returned')
  expect(after({ ...refund, isReversed: true })).toBe('paid')
  expect(after(dispute)).toBe('returned')
  expect(after({ ...dispute, amount: 1499n }, { ...refund, amount: 500n })).toBe('returned')
  expect(after({ ...dispute, isOpen: true })).toBe('mismatch')
  expect(after({ ...dispute, isReversed: true })).toBe('paid')
  expect(providerEventOf({ ...record, is_sold_out: true }, { ...paid, reportedAdjustments: [refund] })).toBe(
    'returned',
  )
  const free = { ...paid, total: 0n, subtotal: 1999n, discount: 1999n }
  expect(providerEventOf(record, free)).toBe('paid')
})

test('what was sold out or disputed when it was first seen stays so for the author', () => {
  const isOpen = { ...refund, kind: 'dispute' as const, isOpen: true }
  const reasons = [
    findHoldReason({ ...record, is_sold_out: true }, paid),
    findHoldReason(record, { ...paid, reportedAdjustments: [isOpen] }),
  ]
  for (const held_reason of reasons) {
    expect(held_reason).toBeDefined()
    const held = { ...record, held_reason: held_reason ?? '' }
    expect([findHoldReason(held, paid), providerEventOf(held, paid)]).toEqual([held_reason, 'mismatch'])
  }
  expect(
    findHoldReason({ ...record, held_reason: 'It is still pending after 90 days.' }, paid),
  ).toBeUndefined()
})

test('the status of a paid purchase follows from what went back', () => {
  expect(statusAfterAdjustments({ amount: 1999n, refunded: 0n }, 0)).toBe('completed')
  expect(statusAfterAdjustments({ amount: 0n, refunded: 0n }, 0)).toBe('completed')
  expect(statusAfterAdjustments({ amount: 1999n, refunded: 1998n }, 0)).toBe('partially_refunded')
  expect(statusAfterAdjustments({ amount: 1999n, refunded: 1999n }, 0)).toBe('refunded')
  expect(statusAfterAdjustments({ amount: 1999n, refunded: 1999n }, 1)).toBe('disputed')
})
