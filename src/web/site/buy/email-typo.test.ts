import { expect, test } from 'vitest'
import { findEmailTypo } from './email-typo.ts'

test.each([
  ['gmial.com', 'gmail.com'],
  ['gmail.con', 'gmail.com'],
  ['gmail.co', 'gmail.com'],
  ['gmaill.com', 'gmail.com'],
  ['GMAL.com', 'gmail.com'],
  ['hotmial.com', 'hotmail.com'],
  ['outlok.com', 'outlook.com'],
  ['yaho.com', 'yahoo.com'],
  ['iclud.com', 'icloud.com'],
  ['t-onlin.de', 't-online.de'],
])('%s is probably %s', (typed, meant) => {
  expect(findEmailTypo(`ruth@${typed}`)).toBe(`ruth@${meant}`)
})

test('what is right, or may be, is not asked about', () => {
  const domains =
    'gmail.com mail.com ymail.com email.com gmx.net gmx.de gmx.at web.de wp.pl o2.pl op.pl docomo.ne.jp ezweb.ne.jp me.com mac.com mailbox.org fastmail.fm live.nl yahoo.de yahoo.fr outlook.de hotmail.fr proton.me example.com church.org'
  for (const domain of domains.split(' ')) expect(findEmailTypo(`ruth@${domain}`)).toBe(undefined)
  for (const odd of ['', 'ruth', 'ruth@', '@gmial.com']) expect(findEmailTypo(odd)).toBe(undefined)
})
