import { expect, test, vi } from 'vitest'
import { problemDetail, type ProblemCode } from '#contract/refusals.ts'
import { ProblemError } from './api.ts'
import { failure, loadFailure } from './send.ts'

const refused = (code: ProblemCode, status: number) =>
  new ProblemError({ code, status, detail: problemDetail(code), fields: undefined })

test('a browser that is offline says so, unless the shop has answered', () => {
  vi.stubGlobal('navigator', { onLine: false })
  expect(failure('Purchase Failed', new TypeError('Failed to fetch'))).toEqual({
    title: 'Purchase Failed',
    description: 'You are offline. Please try again when you are connected.',
    destructive: true,
  })
  expect(failure('Purchase Failed', refused('products.not_found', 404)).description).toBe(
    'This product is no longer for sale.',
  )
  expect(
    loadFailure(
      { title: 'Error', description: 'Failed to fetch purchases' },
      new TypeError('Failed to fetch'),
    ).description,
  ).toMatch(/offline/)
  vi.unstubAllGlobals()
})

test('a purchase that is refused says why, and one that fails otherwise says so in one sentence', () => {
  const words = (error: unknown) => failure('Purchase Failed', error).description
  expect(words(refused('products.not_found', 404))).toBe('This product is no longer for sale.')
  expect(words(refused('server.unavailable', 503))).toBe(problemDetail('server.unavailable'))
  const unexpected = 'An unexpected error occurred'
  expect(words(refused('server.bug', 500))).toBe(unexpected)
  expect(words(new TypeError('Failed to fetch'))).toBe(unexpected)
  expect(words(undefined)).toBe(unexpected)
})
