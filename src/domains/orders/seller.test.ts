import { expect, test } from 'vitest'
import { legalPages } from '#content/legal-pages.ts'
import { sellerOf } from './seller.ts'

const addressOf = (seller: string, address: string) =>
  sellerOf({ blanks: { ...legalPages.blanks, seller, address } }).address

test('a name that the postal address begins with is not said twice', () => {
  for (const typed of ['Hester Lowe\nDeichweg 4', 'hester lowe, Deichweg 4', ' Hester Lowe ,\n Deichweg 4'])
    expect(addressOf('Hester Lowe', typed)).toBe('Deichweg 4')
  expect(addressOf('Hester Lowe', 'Hester Lowe')).toBe('')
})

test('an address that begins in another way stays as it is typed', () => {
  for (const typed of ['Deichweg 4', 'Hester Lowery Street 4', 'Press of Hester Lowe\nDeichweg 4'])
    expect(addressOf('Hester Lowe', typed)).toBe(typed)
  expect(addressOf('', 'Deichweg 4')).toBe('Deichweg 4')
})
