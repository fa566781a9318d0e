import { expect, test, vi } from 'vitest'
import { allRefusals, type ProblemCode } from '#contract/refusals.ts'
import { ProblemError } from '../api.ts'
import { failure, loadFailure, send } from './send.ts'

const refused = (code: ProblemCode, status: number) =>
  new ProblemError({ code, status, detail: allRefusals[code][1], fields: undefined })

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

test('a request whose file was not read in time is repeated once, and no other refusal is', async () => {
  const late: ProblemCode = 'uploads.timed_out'
  const refuse = (code: ProblemCode) =>
    Response.json({ code, detail: allRefusals[code][1] }, { status: 503, headers: { 'retry-after': '0' } })
  const request = { method: 'POST', body: '{"upload_id":"1"}' }
  const answers = vi.fn<typeof fetch>()
  vi.stubGlobal('fetch', answers)
  answers.mockResolvedValueOnce(refuse(late)).mockResolvedValueOnce(Response.json({ title: 'The Sons' }))
  expect(await (await send('/api/x', request)).json()).toEqual({ title: 'The Sons' })
  expect(answers.mock.calls.map(([, init]) => init?.body)).toEqual([request.body, request.body])
  answers.mockResolvedValueOnce(refuse(late)).mockResolvedValueOnce(refuse(late))
  await expect(send('/api/x', request)).rejects.toMatchObject({ code: late })
  answers.mockResolvedValueOnce(refuse('uploads.busy'))
  await expect(send('/api/x', request)).rejects.toMatchObject({ code: 'uploads.busy' })
  expect(answers).toHaveBeenCalledTimes(5)
  vi.unstubAllGlobals()
})

test('what is refused says why, and what fails otherwise whether the shop could be reached', () => {
  const words = (error: unknown) => failure('Couldn’t refund', error).description
  expect(words(refused('products.not_found', 404))).toBe('This product is no longer for sale.')
  expect(words(refused('server.unavailable', 503))).toBe(allRefusals['server.unavailable'][1])
  const unexpected = 'An unexpected error occurred'
  expect(words(refused('server.bug', 500))).toBe(unexpected)
  expect(words(undefined)).toBe(unexpected)
  const lost = new TypeError('Failed to fetch')
  expect(words(lost)).toBe('The shop could not be reached. Please check your connection and try again.')
  expect(failure('Purchase Failed', lost, unexpected).description).toBe(unexpected)
})
