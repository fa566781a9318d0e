import { afterEach, expect, test, vi } from 'vitest'
import { minuteMs } from '#contract/durations.ts'
import { clearPurchase, isFirstLook, justBought, rememberPurchase } from './just-bought.ts'

afterEach(() => vi.useRealTimers())

function openKeys() {
  const kept = new Map<string, string>()
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  }
}

test('a purchase is remembered for an hour, or until it is forgotten', () => {
  vi.useFakeTimers()
  const keys = openKeys()
  expect(justBought(keys)).toBeUndefined()
  rememberPurchase('a', keys)
  rememberPurchase('b', keys)
  vi.advanceTimersByTime(59 * minuteMs)
  expect(justBought(keys)).toBe('b')
  vi.advanceTimersByTime(minuteMs)
  expect(justBought(keys)).toBeUndefined()
  rememberPurchase('c', keys)
  clearPurchase(keys)
  expect(justBought(keys)).toBeUndefined()
})

test('what is asked of a purchase is asked by itself once', () => {
  const keys = openKeys()
  expect([isFirstLook('a', keys), isFirstLook('a', keys), isFirstLook('b', keys)]).toEqual([
    true,
    false,
    true,
  ])
})
