import { expect, test } from 'vitest'
import { readableAddress } from './readable-address.ts'

test('the author sees an address of another script as it reads and as it is stored, and others as they are', () => {
  expect(readableAddress('buch@xn--bcher-kva.example')).toBe(
    'buch@bücher.example (buch@xn--bcher-kva.example)',
  )
  expect(readableAddress('xn--bcher-kva@books.example')).toBe('xn--bcher-kva@books.example')
  for (const plain of ['', 'ruth@example.com', 'an erased account'])
    expect(readableAddress(plain)).toBe(plain)
})
