import { expect, test } from 'vitest'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { receiptTexts } from '#words/dashboard.ts'
import type { GuestReceipt } from '#contract/orders/receipts.ts'
import { Sums } from './receipt-paper.tsx'

type Adjustment = GuestReceipt['adjustments'][number]

function sumsOf(kept: number, adjustments: Pick<Adjustment, 'kind' | 'amount'>[]) {
  const created_at = '2026-03-02T10:00:00Z'
  const receipt = {
    product: { name: 'The Book', format: 'digital' },
    price: 9.9,
    discount: 0,
    shipping: 0,
    tax: 0,
    is_tax_included: false,
    total: 9.9,
    currency: 'usd',
    sold_by: 'author',
    presented: null,
    time_zone: 'UTC',
    kept,
    adjustments: adjustments.map((each, index) => ({ ...each, id: `${index}`, created_at })),
  } as unknown as GuestReceipt
  return renderToStaticMarkup(createElement(Sums, { receipt }))
}

test('a receipt names what is left after refunds, and nothing where all of the money came back', () => {
  const { paidAfterRefunds, adjustments } = receiptTexts
  const refunded = sumsOf(7.9, [{ kind: 'refund', amount: -2 }])
  expect(refunded).toContain(paidAfterRefunds)
  expect(refunded).toContain('$7.90')
  const won = sumsOf(9.9, [
    { kind: 'dispute', amount: -9.9 },
    { kind: 'dispute_won', amount: 9.9 },
  ])
  expect(won).toContain(adjustments.dispute_won)
  expect(won).not.toContain(paidAfterRefunds)
})
