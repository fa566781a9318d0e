import { expect, test } from 'vitest'
import { describeEnded, endCheckouts } from './end-checkouts.ts'

const none = { ended: 0, paid: 0, kept: 0, failed: 0 }

/** The batches, one a call. */
function playback(...batches: Parameters<typeof describeEnded>[0][]) {
  let calls = 0
  const endSome = () => {
    const batch = batches[calls]
    calls += 1
    return batch ? Promise.resolve(batch) : Promise.reject(new Error('one call too many'))
  }
  return { endSome, countCalls: () => calls }
}

test('checkouts are ended batch by batch until none is left', async () => {
  const { endSome } = playback({ ...none, ended: 19, paid: 1, left: 5 }, { ...none, ended: 5, left: 0 })
  const progress: number[][] = []
  const all = await endCheckouts(endSome, (done, left) => progress.push([done, left]))
  expect(progress).toEqual([
    [20, 5],
    [25, 0],
  ])
  expect(describeEnded(all)).toEqual({
    title: 'Checkouts ended',
    description: '24 ended. 1 paid before the page closed, and kept.',
  })
})

test('a batch that ends none is the last, and those that are left are counted', async () => {
  const { endSome, countCalls } = playback(
    { ...none, ended: 18, kept: 2, left: 7 },
    { ...none, kept: 7, left: 7 },
  )
  const all = await endCheckouts(endSome, () => undefined)
  expect(countCalls()).toBe(2)
  expect(describeEnded(all)).toMatchObject({
    title: 'Some checkouts are still open',
    description: expect.stringContaining('7 still open. Please try again later.'),
    destructive: true,
  })
})

test('while Stripe does not answer, no further batch is asked for', async () => {
  const { endSome, countCalls } = playback({ ...none, ended: 3, failed: 1, left: 17 })
  const all = await endCheckouts(endSome, () => undefined)
  expect(countCalls()).toBe(1)
  expect(describeEnded(all).description).toContain('Stripe did not respond')
})
