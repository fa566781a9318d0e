import { afterEach, expect, test, vi } from 'vitest'
import type { Release } from '#contract/catalog/products.ts'
import { minuteMs } from '#contract/durations.ts'
import { toasts } from '../page/page-state.ts'
import { announcePurchase, clearPurchase, isFirstLook, justBought, rememberPurchase } from './just-bought.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

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

test('a buyer reads how to download what is out, and the day of what is not', () => {
  vi.stubGlobal('sessionStorage', openKeys())
  const announce = (product: { is_digital: boolean; release: Release | null }) => {
    announcePurchase({ id: 'a', product: { name: 'Nine', ...product } })
    return toasts.get().shown.at(-1)?.description
  }
  const [on, download] = ['2027-03-12', 'Check your email for download instructions.']
  expect(announce({ is_digital: true, release: null })).toContain(download)
  expect(announce({ is_digital: true, release: { on, is_partial: true } })).toContain(download)
  const words = 'You have successfully purchased Nine. It comes out on March 12, 2027.'
  expect(announce({ is_digital: true, release: { on, is_partial: false } })).toBe(words)
  expect(announce({ is_digital: false, release: { on, is_partial: false } })).toBe(words)
})
