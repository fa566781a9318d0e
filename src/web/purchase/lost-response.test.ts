import { expect, test } from 'vitest'
import type { Withdrawal } from '#contract/orders/purchases.ts'
import { ProblemError } from '../notices/send.ts'
import { orReceived } from './lost-response.ts'

test('a declaration whose response is lost has not failed where the purchase shows it', async () => {
  const withdrawal: Withdrawal = {
    declared_at: '2026-11-29T23:30:00Z',
    state: 'on_its_way',
    waits_for: null,
    refusal: null,
    right: 'law',
  }
  const lost = new TypeError('Failed to fetch')
  const orFound = (found: Withdrawal | null) => orReceived(() => Promise.resolve({ withdrawal: found }))
  expect(await orFound(withdrawal)(lost)).toEqual({ withdrawal })
  await expect(orFound(null)(lost)).rejects.toBe(lost)
  for (const state of ['unpaid', 'refused', 'partly'] as const)
    await expect(orFound({ ...withdrawal, state })(lost)).rejects.toBe(lost)
  await expect(orReceived(() => Promise.reject(lost))(lost)).rejects.toBe(lost)
  const refused = new ProblemError({
    status: 409,
    code: 'purchases.not_refundable',
    detail: '',
    fields: undefined,
  })
  await expect(orFound(withdrawal)(refused)).rejects.toBe(refused)
})
