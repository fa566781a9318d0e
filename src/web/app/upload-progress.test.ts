// The speed of an upload, and the time that is left.
import { expect, test } from 'vitest'
import { progressWords } from './upload-progress.ts'

const megabyte = 1024 * 1024

test.each([
  [0, '1.00 of 4.00 MB'],
  [4 * 1024, '1.00 of 4.00 MB, 4 kB/s, 13 min left'],
  [100 * 1024, '1.00 of 4.00 MB, 100 kB/s, 31 s left'],
  [1.5 * megabyte, '1.00 of 4.00 MB, 1.5 MB/s, 2 s left'],
])('at %d bytes a second it says “%s”', (perSecond, words) => {
  expect(progressWords({ sent: megabyte, size: 4 * megabyte, perSecond })).toBe(words)
})
