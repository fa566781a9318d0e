// What is shown of notices after a failure, and after a dialog.
import { expect, test, vi } from 'vitest'
import { toasts } from '../page/page-state.ts'
import { readMs } from './stored-notice.ts'
import { closeNoticesTo, dropFailures, dropRead, toast } from './toasts.tsx'

const titles = () => toasts.get().shown.map(({ title }) => title)

test('a failure that has succeeded since is dropped, and good news stays', () => {
  toast({ title: 'Name Saved' })
  toast({ title: 'Sign In Failed', destructive: true })
  expect(titles()).toEqual(['Name Saved', 'Sign In Failed'])
  dropFailures()
  expect(titles()).toEqual(['Name Saved'])
})

test('a notice is closed once what its link leads to is done, and no other is', () => {
  dropFailures()
  const link = { label: 'Tell its owners', to: '/admin/products/editions/1' }
  toast({ title: 'New edition', link, stays: true })
  closeNoticesTo('/admin/products/editions/2')
  expect(titles()).toContain('New edition')
  closeNoticesTo(link.to)
  expect(titles()).not.toContain('New edition')
  expect(titles()).toContain('Name Saved')
})

test('good news that was read is over where a dialog opens; failures, what stays and what just came are not', () => {
  vi.useFakeTimers()
  toasts.set({ ...toasts.get(), shown: [] })
  toast({ title: 'Welcome back!' })
  toast({ title: 'New edition', stays: true })
  toast({ title: 'Deleted', action: { label: 'Undo', onPress: () => undefined } })
  vi.advanceTimersByTime(readMs)
  toast({ title: 'Name Saved' })
  dropRead()
  expect(titles()).toEqual(['New edition', 'Deleted', 'Name Saved'])
  toast({ title: 'Couldn’t save', destructive: true })
  vi.advanceTimersByTime(readMs)
  dropRead()
  expect(titles()).toEqual(['Deleted', 'Couldn’t save'])
  vi.useRealTimers()
})
