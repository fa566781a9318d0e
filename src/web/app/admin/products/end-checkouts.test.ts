import { expect, test } from 'vitest'
import { describeEnded } from './end-checkouts.tsx'

const none = { ended: 0, paid: 0, kept: 0, failed: 0 }

test('the toast says what became of the checkouts, and an error is one only where some are still open', () => {
  expect(describeEnded(none)).toEqual({ title: 'No checkout is open at an old price' })
  expect(describeEnded({ ...none, ended: 3, paid: 1, kept: 2 })).toEqual({
    title: 'Checkouts ended',
    description:
      '3 ended. 1 paid before the page closed, and kept. 2 not ended, because a payment is already on its way or waits for you.',
  })
  expect(describeEnded({ ...none, ended: 3, failed: 4 })).toEqual({
    title: 'Some checkouts are still open',
    description: '3 ended. 4 still open, because Stripe did not respond. Please try again.',
    destructive: true,
  })
})
