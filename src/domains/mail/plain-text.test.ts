import { expect, test } from 'vitest'
import { plainLine, plainName } from './email-layout.ts'

test('what mail programs would make a link of is broken, and names stay as they are', () => {
  const given = {
    'Click http://evil.example/win now': 'Click http: //evil .example/win now',
    'www.evil.example': 'www .evil .example',
    'me@evil.example': 'me@evil .example',
    'evil\u3002example': 'evil \u3002example',
    'mailto:me': 'mailto: me',
    'Dr. J.R.R. Tolkien': 'Dr. J.R.R. Tolkien',
    'Márta Ó’Brien-Nagy, Jr.': 'Márta Ó’Brien-Nagy, Jr.',
    مریم: 'مریم',
  }
  for (const [text, plain] of Object.entries(given)) expect(plainLine(text, 100)).toBe(plain)
})

test('a name is one short line without anything unseen', () => {
  expect(plainName('Ruth\r\nBcc: all@books\u202e\u2028\0!')).toBe('Ruth Bcc: all@books !')
  const long = plainName('a'.repeat(200))
  expect([long.length, long.at(-1)]).toEqual([60, '…'])
  expect(plainName('😀'.repeat(100)).isWellFormed()).toBe(true)
})
