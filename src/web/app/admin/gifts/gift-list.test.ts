import { expect, test } from 'vitest'
import { readListText } from './gift-list.tsx'

test('a list is read as a spreadsheet has saved it', () => {
  const text = 'name;email\r\nJörg;joerg@example.com\r\n'
  expect(readListText(Buffer.from(text))).toBe(text)
  expect(readListText(Buffer.from(`\ufeff${text}`))).toBe(text)
  expect(readListText(Buffer.from(text, 'latin1'))).toBe(text)
  expect(readListText(Buffer.from(`\ufeff${text}`, 'utf16le'))).toBe(text)
})
