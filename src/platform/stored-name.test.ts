import { expect, test } from 'vitest'
import { storedName } from './storage.ts'

test('a stored name is the moment, the title with hyphens for all else, and the extension', () => {
  const moment = new Date('2030-01-02T03:04:05.678Z')
  const name = storedName(moment, "../Nine P's: 恵み/secret", 'pdf')
  expect(name).toBe(`ebooks/${moment.getTime()}----Nine-P-s-----secret.pdf`)
})
