// Which notices the next page shows.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { toasts } from '../page/page-state.ts'
import { carryNotice, leaveToPay, readMs, takeNotice } from './stored-notice.ts'
import { toast } from './toasts.tsx'

const page = new EventTarget()
const endPage = () => page.dispatchEvent(new Event('pagehide'))

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.useFakeTimers()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('location', { assign: endPage })
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
})

afterEach(() => {
  toasts.set({ ...toasts.get(), shown: [] })
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a notice goes on to the page that it was meant for, through others, and stays on none', () => {
  carryNotice()
  toast({ title: 'Welcome back!' })
  // On a slow line the page lives on.
  vi.advanceTimersByTime(readMs + 1_000)
  endPage()
  expect(toasts.get().shown).toEqual([])
  const carried = takeNotice()
  expect(carried).toMatchObject({ title: 'Welcome back!' })
  if (carried) toast(carried)
  carryNotice()
  endPage()
  expect(takeNotice()).toMatchObject({ title: 'Welcome back!', at: carried?.at })
  expect(takeNotice()).toBeUndefined()
})

test('a notice that was read does not go on to the next page, and none goes on to a payment', () => {
  toast({ title: 'Welcome back!' })
  vi.advanceTimersByTime(readMs)
  carryNotice()
  endPage()
  expect(takeNotice()).toBeUndefined()
  toast({ title: 'Payment not finished' })
  void leaveToPay('https://payments.example/')
  expect(takeNotice()).toBeUndefined()
  expect(toasts.get().shown).toEqual([])
})
