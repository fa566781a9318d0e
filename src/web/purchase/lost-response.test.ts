import { expect, test } from 'vitest'
import { ProblemError } from '../notices/send.ts'
import { orReceived } from './lost-response.ts'

test('a declaration whose response is lost has not failed where the purchase shows it', async () => {
  const withdrawal = {
    declared_at: '2026-11-29T23:30:00Z',
    state: 'on_its_way' as const,
    waits_for: null,
    refusal: null,
    right: 'law' as const,
  }
  const lost = new TypeError('Failed to fetch')
  const read = () => Promise.resolve({ withdrawal })
  expect(await orReceived(read)(lost)).toEqual({ withdrawal })
  const former = ['unpaid', 'refused', 'partly'] as const
  for (const none of [null, ...former.map((state) => ({ ...withdrawal, state }))])
    await expect(orReceived(() => Promise.resolve({ withdrawal: none }))(lost)).rejects.toBe(lost)
  await expect(orReceived(() => Promise.reject(lost))(lost)).rejects.toBe(lost)
  const refused = new ProblemError({
    status: 409,
    code: 'purchases.not_refundable',
    detail: '',
    fields: undefined,
  })
  await expect(orReceived(read)(refused)).rejects.toBe(refused)
})
