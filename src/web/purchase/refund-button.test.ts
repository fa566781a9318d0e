// The words of the question before a purchase is given back.
import { expect, test } from 'vitest'
import { consequence, endingOf } from './refund-button.tsx'

const file = {
  product_id: '1',
  title: 'Fables',
  file_format: 'epub' as const,
  file_size: 1,
  edition: 1,
  is_lost: false,
}

const sent = {
  number: 1006,
  amount: 24.8,
  currency: 'eur',
  status: 'completed' as const,
  refund_right: 'law' as const,
  refund_waits_for: 'return' as const,
  refund_is_of_paper: false,
  product: { name: 'Fables', is_digital: true, release: null, download_url: null, files: [file] },
}
const returns = { returns_to: null, says_return_cost: false }

test('the question about a sent parcel names the amount, unless a part of it went back before', () => {
  expect(consequence(sent, returns)).toContain('€24.80')
  const said = consequence({ ...sent, status: 'partially_refunded' }, returns)
  expect(said).toContain('once the book is back')
  expect(said).not.toContain('€')
})

test('the access ends for good, unless the right covers the paper alone, so that the files may stay', () => {
  expect(endingOf(sent)).toBe('You can then no longer download Fables by this order.')
  expect(endingOf({ ...sent, refund_is_of_paper: true })).toBe(
    'The files of this order cannot be downloaded until the author has decided.',
  )
})

test('who has the same product by another order is told that it stays', () => {
  const stays = 'You keep the files by order #1004.'
  expect(endingOf({ ...sent, other_order: 1004 })).toBe(stays)
  expect(endingOf({ ...sent, other_order: 1004, refund_right: null })).toBe(stays)
})

test('no access ends with a pre-order, of which nothing can be had yet', () => {
  const release = { on: '2027-03-01', is_partial: false }
  expect(endingOf({ ...sent, product: { ...sent.product, release } })).toBeUndefined()
  expect(endingOf({ ...sent, product: { ...sent.product, files: [] } })).toBeUndefined()
  const partly = { ...release, is_partial: true }
  expect(endingOf({ ...sent, product: { ...sent.product, release: partly } })).toContain('no longer download')
})
